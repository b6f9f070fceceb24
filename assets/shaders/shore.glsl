// Shores of waters above the sea. The samples hold the local water level; near the eye, noise makes the shores ragged.
// The range of that noise, in samples.
const float SHORE_SAMPLES = 1.8;

// Where a shore's samples are looked up: xy, how far beside the place, in texture coordinates; z, how much higher, in metres.
vec3 ragged_shore(sampler2DArray shade, vec3 relative) {
    float near_ = smoothstep(0.30, 0.06, length(relative) / u_noise_metres);
    if (near_ <= 0.0)
        return vec3(0.0);
    vec3 place = u_origin + relative / u_noise_metres;
    vec4 noise = near_ * (0.56 * texture(u_noise, place * 47.0) + 0.26 * texture(u_noise, place * 130.0) + 0.13 * texture(u_noise, place * 420.0) + 0.05 * texture(u_noise, place * 1400.0) - 0.5);
    return vec3(SHORE_SAMPLES * noise.xy / vec2(textureSize(shade, 0).xy), 0.004 * u_relief_m * noise.z);
}

// Metres above the local water level. `at`: texture coordinates; `beside`: of ragged_shore; `metres`: full-scale height.
float standing_above(sampler2DArray shade, vec3 at, vec3 beside, float metres) {
    return texture(shade, at + vec3(beside.xy, 0.0)).w * metres + beside.z;
}

// The samples' ground there, metres above the sea.
float ground_beside(sampler2DArray heights, vec3 at, vec3 beside) {
    vec2 p = (at.xy + beside.xy) * vec2(textureSize(heights, 0).xy) - 0.5, f = fract(p);
    ivec3 base = ivec3(ivec2(floor(p)), int(at.z + 0.5));
    float a = texelFetch(heights, base, 0).r, b = texelFetch(heights, base + ivec3(1, 0, 0), 0).r;
    float c = texelFetch(heights, base + ivec3(0, 1, 0), 0).r, d = texelFetch(heights, base + ivec3(1, 1, 0), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}
