// The twin of demo/ground/detail.py: the relief between the samples. Both files hold the same numbers.

const float RIDGE_FROM = 0.015, RIDGE_TO = 0.060, RIDGE_LOW = 0.02, RIDGE_HIGH = 0.22;
const float GAIN_PLAIN = 0.46, GAIN_RIDGED = 0.53;
const float RIDGE_MEAN = 0.42, RIDGE_SLOPE = 1.9, RIDGE_ROUND = 0.04;
const float WASHED = 7.0;
const float SHORE_KEPT = 0.30, SHORE_LAND = 0.05, SHORE_SEA = 0.02;
const vec3 SHIFT = vec3(0.31, 0.37, 0.43);
const float NOISE_GAIN = 64.0;

// What one lattice corner adds: gradient (xyz) and value (w). `h`: the corner's hash sum; `d`: offset from the corner.
vec4 simplex_corner(uint h, vec3 d) {
    h = (h ^ (h >> 15u)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12u)) * 0x297A2D39u;
    h ^= h >> 15u;
    vec3 g = uintBitsToFloat((uvec3(h, h << 8u, h << 16u) & 0x807FFFFFu) | 0x3F000000u);
    float t = max(0.5 - dot(d, d), 0.0), along = dot(g, d), t2 = t * t;
    return vec4(t2 * t2 * g - 8.0 * t2 * t * along * d, t2 * t2 * along);
}

// Gradient (xyz) and value (w) of simplex noise at the lattice coordinates whole + part.
vec4 simplex(ivec3 whole, vec3 part, uint key) {
    ivec3 more = ivec3(floor(part));
    whole += more;
    part -= vec3(more);
    // The skew to the simplex grid is a third of the sum of the coordinates. Whole thirds of the integer sum stay integers.
    int sum = whole.x + whole.y + whole.z;
    int thirds = int(floor(float(sum) / 3.0));
    int left = sum - 3 * thirds;
    vec3 inside = part + (float(left) + part.x + part.y + part.z) / 3.0;
    ivec3 up = ivec3(floor(inside));
    ivec3 cell = whole + thirds + up;
    // Unskewing: the whole thirds cancel out.
    vec3 d0 = part - vec3(up) + float(left + up.x + up.y + up.z) / 6.0;
    bvec3 ge = bvec3(d0.x >= d0.y, d0.y >= d0.z, d0.x >= d0.z);
    ivec3 most = ivec3(ge.x && ge.z, !ge.x && ge.y, 0);
    most.z = 1 - most.x - most.y;
    ivec3 least = ivec3(!ge.x && !ge.z, ge.x && !ge.y, 0);
    least.z = 1 - least.x - least.y;
    ivec3 two = 1 - least;
    const uvec3 STEP = uvec3(0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du);
    uvec3 h = uvec3(cell) * STEP;
    uint h0 = h.x + h.y + h.z + key;
    uvec3 a = uvec3(most) * STEP, b = uvec3(two) * STEP;
    vec4 found = simplex_corner(h0, d0);
    found += simplex_corner(h0 + a.x + a.y + a.z, d0 - vec3(most) + 1.0 / 6.0);
    found += simplex_corner(h0 + b.x + b.y + b.z, d0 - vec3(two) + 1.0 / 3.0);
    found += simplex_corner(h0 + STEP.x + STEP.y + STEP.z, d0 - 0.5);
    return NOISE_GAIN * found;
}

float detail_shore(float base, float top) {
    float land = SHORE_KEPT + (1.0 - SHORE_KEPT) * smoothstep(0.0, SHORE_LAND * top, base);
    return land * smoothstep(-SHORE_SEA * top, 0.0, base);
}

// Metres added by all octaves (x) and by all but the last (y). `base`: metres of the samples' smooth surface; `rough`: metres,
// strength of the first octave; `whole` + `part`: the place in wavelengths of that octave; `length_`: its metres; `up`: unit.
vec2 detail_octaves(ivec3 whole, vec3 part, vec3 up, float base, float rough, float top, float length_, int octaves, uint key) {
    float ridged = smoothstep(RIDGE_FROM, RIDGE_TO, rough / length_) * smoothstep(RIDGE_LOW, RIDGE_HIGH, base / top);
    float strength = rough * detail_shore(base, top);
    float gain = mix(GAIN_PLAIN, GAIN_RIDGED, ridged);
    float total = 0.0, before = 0.0, scale = 1.0;
    vec3 tilt = vec3(0.0);
    for (int k = 0; k < octaves; ++k) {
        vec4 found = simplex(whole << k, part * scale + SHIFT, key + uint(k) * 0x27D4EB2Fu);
        float n = found.w, bend = sqrt(n * n + RIDGE_ROUND * RIDGE_ROUND);
        float shape = mix(n, RIDGE_MEAN - RIDGE_SLOPE * bend, ridged);
        float lean = mix(1.0, -RIDGE_SLOPE * n / bend, ridged);
        before = total;
        total += strength * shape / (1.0 + WASHED * dot(tilt, tilt));
        tilt += (found.xyz - up * dot(found.xyz, up)) * (lean * strength * scale / length_);
        strength *= gain;
        scale *= 2.0;
    }
    return vec2(total, before);
}
