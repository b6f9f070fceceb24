// Tables of the air alone, by altitude in metres and the cosine of the sun's zenith angle. Columns crowd around the horizon. The
// lower half of the rows is demo/geometry/sunlight.py's, the upper half demo/geometry/scattering.py's.
uniform sampler2D u_sunlight;

vec2 air_place(float altitude, float cosine) {
    float x = 0.5 + 0.5 * atan(cosine * 8.0) / 1.4464413;
    float y = sqrt(clamp(altitude / (u_air.y - u_air.x), 0.0, 1.0));
    vec2 size = vec2(textureSize(u_sunlight, 0));
    return (vec2(x, y) * (size * vec2(1.0, 0.5) - 1.0) + 0.5) / size;
}

// The transmittance of the air towards the sun.
vec3 sun_transmittance(float altitude, float cosine) { return textureLod(u_sunlight, air_place(altitude, cosine), 0.0).rgb; }
