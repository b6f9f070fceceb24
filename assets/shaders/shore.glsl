// Shores of waters above the sea. The samples hold the local water level; near the eye, noise makes the shores ragged.
// The range of that noise, in samples.
const float SHORE_SAMPLES = 1.4;

// Metres above the local water level. `at`: texture coordinates; `relative`: metres from the eye; `metres`: full-scale height.
float standing_above(sampler2DArray shade, vec3 at, vec3 relative, float metres) {
    vec4 ragged = vec4(0.0);
    float near_ = smoothstep(0.030, 0.006, length(relative) / u_noise_metres);
    if (near_ > 0.0) {
        vec3 place = u_origin + relative / u_noise_metres;
        ragged = near_ * (0.6 * texture(u_noise, place * 110.0) + 0.4 * texture(u_noise, place * 420.0) - 0.5);
    }
    vec2 beside = SHORE_SAMPLES * ragged.xy / vec2(textureSize(shade, 0).xy);
    return texture(shade, at + vec3(beside, 0.0)).w * metres + 0.004 * u_relief_m * ragged.z;
}
