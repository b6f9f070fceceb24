// What climate and waters make of the ground, as demo/ground/cover.py stores it: moisture, valley floors of sediment (at
// sea: how high waves are), hardness of the rock or what the sediment is, and 0 for a ridge to 1 for the bottom of a valley
// (at sea: silt that drifts there, from 1/2 to 1).
uniform sampler2DArray u_cover_a;
#if MIXED
uniform sampler2DArray u_cover_b;
#endif

// From 0 to 1 between two values.
float ramp(float from, float to, float x) { return clamp((x - from) / (to - from), 0.0, 1.0); }

// How much of the ground is gravel of fans and of steep beds (x), and salt and clay of dry basins (y), 0..1.
vec2 gravel_and_salt(vec4 cover) {
    float laid = ramp(0.45, 0.85, cover.g);
    return laid * vec2(ramp(0.52, 0.80, cover.b), ramp(0.24, 0.10, cover.b));
}

// Ground that no climate has covered yet is moist by noise, and by the belts of latitude on planets.
vec4 ground_cover(vec3 at, vec3 up, vec4 broad) {
    float sine2 = up.y * up.y;
    float belts = SPHERICAL == 1 ? 0.16 * min(1.0 - (13.0 - 22.0 * sine2) * sine2, 1.0) : 0.05;
    vec4 young = vec4(1.5 * broad.y + belts - 0.29, 0.0, 0.33, 0.5);
    vec3 place = vec3(at.xy * u_cover_grid.x + u_cover_grid.y, at.z);
    vec4 cover = mix(young, textureLod(u_cover_a, place, 0.0), u_covered.x);
#if MIXED
    cover = mix(cover, mix(young, textureLod(u_cover_b, place, 0.0), u_covered.y), u_mix);
#endif
    return cover;
}

// Yearly mean in degrees Celsius. `up`: unit; `t`: height in highest lands.
float warmth_at(vec3 up, float t) {
    float sine2 = up.y * up.y;
    return u_warmth.x - (u_warmth.y + u_warmth.z * sine2) * sine2 - u_warmth.w * t;
}
