// The twin of demo/ground/detail.py and gullies.py: the relief between the samples. Both hold the same numbers.

const float SHORE_KEPT = 0.30, SHORE_LAND = 0.05, SHORE_SEA = 0.02;
const vec3 SHIFT = vec3(0.31, 0.37, 0.43);
const uint OCTAVE_STEP = 0x27D4EB2Fu, HILL_STEP = 0x165667B1u;
const int HILLS = 2;
const float HILL = 0.45, HILL_GAIN = 0.5;
const float DEPTH = 0.64, GAIN = 0.54;
const float WAVES = 1.45, SPREAD = 0.4, TURNED = 0.18, VARIED = 0.6;
const float COHERENT = 0.3, SHARP = 0.6, CREST_ROUND = 0.06;
const float FLAT = 0.01, STEEP = 0.16, FOLLOWED = 0.2, REOPENED = 0.3, COUNTED = 0.05, SHUT = 0.38, OPEN = 0.78;
const float TURN = 6.28318531;
const float REACH = 0.5, NOISE_GAIN = 64.0;

// The four corners of the simplex lattice around a point: their hashes and the offsets from them.
struct Corners {
    uvec4 hashes;
    vec3 offsets[4];
};

Corners corners(ivec3 whole, vec3 part, uint key) {
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
    uvec3 h = uvec3(cell) * STEP, a = uvec3(most) * STEP, b = uvec3(two) * STEP;
    uvec4 hashes = uvec4(0u, a.x + a.y + a.z, b.x + b.y + b.z, STEP.x + STEP.y + STEP.z) + (h.x + h.y + h.z + key);
    hashes = (hashes ^ (hashes >> 15u)) * 0x2C1B3C6Du;
    hashes = (hashes ^ (hashes >> 12u)) * 0x297A2D39u;
    hashes ^= hashes >> 15u;
    return Corners(hashes, vec3[4](d0, d0 - vec3(most) + 1.0 / 6.0, d0 - vec3(two) + 1.0 / 3.0, d0 - 0.5));
}

// Gradient (xyz) and value (w) of simplex noise at the lattice coordinates whole + part.
vec4 simplex(ivec3 whole, vec3 part, uint key) {
    Corners around = corners(whole, part, key);
    vec4 found = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        uint h = around.hashes[i];
        vec3 d = around.offsets[i], g = uintBitsToFloat((uvec3(h, h << 8u, h << 16u) & 0x807FFFFFu) | 0x3F000000u);
        float t = max(REACH - dot(d, d), 0.0), along = dot(g, d), t2 = t * t;
        found += vec4(t2 * t2 * g - 8.0 * t2 * t * along * d, t2 * t2 * along);
    }
    return NOISE_GAIN * found;
}

// The sine of angles in turns, to 0.001.
vec4 sine(vec4 turns) {
    vec4 x = turns - floor(turns + 0.5);
    vec4 y = x * (8.0 - 16.0 * abs(x));
    return y * (0.775 + 0.225 * abs(y));
}

// The mean cosine and sine of the waves around, and how strong they are, -1..1. Their crests run along `uphill`, across `side`.
vec3 wave(ivec3 whole, vec3 part, uint key, vec3 side, vec3 uphill) {
    Corners around = corners(whole, part, key);
    vec4 aside, along, weight;
    for (int i = 0; i < 4; ++i) {
        vec3 d = around.offsets[i];
        aside[i] = dot(d, side);
        along[i] = dot(d, uphill);
        weight[i] = dot(d, d);
    }
    weight = max(REACH - weight, 0.0);
    weight *= weight * weight;
    vec4 phase = vec4(around.hashes & 0x3FFu) / 1024.0;
    vec4 long_ = vec4((around.hashes >> 10u) & 0x7FFu) / 1024.0 - 1.0, bearing = vec4(around.hashes >> 21u) / 1024.0 - 1.0;
    vec4 turns = (aside + TURNED * bearing * along) * (WAVES + WAVES * SPREAD * long_) + phase;
    return vec3(dot(weight, sine(turns + 0.25)), dot(weight, sine(turns)), dot(weight, bearing)) / dot(weight, vec4(1.0));
}

float detail_shore(float base, float top) {
    float land = SHORE_KEPT + (1.0 - SHORE_KEPT) * smoothstep(0.0, SHORE_LAND * top, base);
    return land * smoothstep(-SHORE_SEA * top, 0.0, base);
}

// Metres added by all octaves (x) and by all but the last (y); ridge and hollow with them (z, w), from -1 in a hollow to 1 on a
// crest. `whole` + `part`: the place in wavelengths of the first octave; `length_`: its metres; `up`: unit. `slope`: the
// gradient of the samples, a tangent; `around`: how steep it is around. `strength`: metres.
vec4 detail_octaves(ivec3 whole, vec3 part, vec3 up, vec3 slope, float around, float strength, float length_, int octaves, uint key) {
    vec4 found = vec4(0.0);
    float deep = DEPTH * strength, hill = HILL * strength, scale = 1.0, steep_ = length(slope), own = strength / length_ + 1e-6;
    float open_ = 1.0, kept = smoothstep(SHUT, OPEN, steep_ / (around + own));
    // Hills turn the slope on gentle land: elsewhere gullies would no longer run down that of the samples.
    float gentle = 1.0 - smoothstep(FLAT, STEEP, around);
    // In two loops: a software renderer works through both sides of a branch. Hills are in the first octaves, and gullies in all
    // but the very first.
    for (int k = 0; k < min(octaves, HILLS); ++k) {
        found.yw = found.xz;
        vec4 noise = simplex(whole << k, part * scale + SHIFT, key + uint(k) * OCTAVE_STEP + HILL_STEP);
        found.x += hill * noise.w;
        slope += (noise.xyz - up * dot(noise.xyz, up)) * (gentle * hill * scale / length_);
        hill *= HILL_GAIN;
        kept = max(kept, gentle * smoothstep(SHUT, OPEN, length(slope) / (around + own)));
        scale *= 2.0;
    }
    float half_ = 1.0;
    for (int k = 1; k < octaves; ++k) {
        found.yw = k < HILLS ? found.yw : found.xz;
        deep *= GAIN;
        float steep = length(slope);
        vec3 uphill = slope / max(steep, 1e-6), side = cross(up, uphill);
        vec3 cs = wave(whole << (k - 1), part * half_ + SHIFT, key + uint(k) * OCTAVE_STEP, side, uphill);
        float size = length(cs.xy);
        cs.xy /= size + 1e-6;
        float sure = size * (1.0 + COHERENT) / (size + COHERENT) * (1.0 + VARIED * cs.z);
        float begun = smoothstep(FLAT, STEEP, steep) * kept, share = begun * open_;
        float edge = 1.0 - 2.0 * sqrt(0.5 * (1.0 - cs.x) + CREST_ROUND * CREST_ROUND);
        found.z += (mix(cs.x, edge, SHARP) * sure - found.z) * share;
        float wall = deep * TURN * WAVES * half_ / length_, most = FOLLOWED * steep;
        slope -= side * (wall * most / (wall + most + 1e-6) * cs.y * sure * share);
        open_ = mix(open_, 1.0, REOPENED) * (1.0 - begun * cs.x * cs.x * cs.x * cs.x);
        found.x += deep * found.z;
        half_ *= 2.0;
    }
    found.zw = clamp(found.zw, -1.0, 1.0) * min(strength / (COUNTED * length_), 1.0);
    return found;
}
