// What grows and lies on the ground of a tile, with the sizes that it has in nature: woods with their crowns, beds of rock, dunes,
// snow that wind has packed. It is relief, which joins the tile's slopes, and two patterns for the surface's colours.
// Noise is the volume of noise over NEAR_METRES, in which a whole number of its periods fits. Of two values the first is for
// the tile's own level and the second for the next coarser one.

const float NEAR_METRES = 65536.0;
// Periods of the noise in NEAR_METRES. What it forms is about a twelfth of a period wide: 1400 m, 270 m, 60 m, 15 m, 7 m.
const float REGION = 4.0, STANDS = 20.0, GROVES = 90.0, CLUMPS = 360.0, CROWNS = 780.0;
const float GROVE_M = 60.0, CLUMP_M = 15.0, CROWN_M = 7.0;
// Metres by which groups of trees and single crowns stand over the gaps between them, and of the roughness of bare ground.
const vec4 HIGH = vec4(2.4, 2.2, 7.0, 3.6);
// What noise must exceed where a tree stands apart, in the driest and in the moistest open land.
const vec2 LONE = vec2(0.74, 0.55);
// Metres over which beds of rock repeat.
const float THICK_BED = 110.0, THIN_BED = 23.0;
// By how much beds vary in thickness, in beds.
const float UNEVEN = 1.5;
// Beds dip: thick ones in NEAR_METRES along three axes.
const vec3 DIP = vec3(64.0, 38.0, -46.0);
// Dunes: periods in NEAR_METRES along three axes.
const vec3 DUNES = vec3(260.0, 70.0, 190.0);

uniform sampler3D u_noise;

// `near`: modulo NEAR_METRES, in periods of it; `shortest`: metres of the shortest octave of the tile's relief.
struct Ground {
    vec3 up;
    vec3 near;
    vec4 cover;
    float shortest;
};

// How much of what is so many metres wide is seen.
vec2 seen(float metres, float shortest) { return smoothstep(0.45, 0.95, vec2(metres, 0.5 * metres) / shortest); }
vec2 seen(vec2 metres, float shortest) { return smoothstep(vec2(0.45), vec2(0.95), metres * vec2(1.0, 0.5) / shortest); }

// Round tops with narrow gaps between them, 0..1: each is where one of four noises is the highest.
float domes(vec4 noise) {
    float x = clamp((max(max(noise.x, noise.y), max(noise.z, noise.w)) - 0.46) * 3.2, 0.0, 1.0);
    return x * (2.0 - x);
}

// The relief of noise: groups of trees, crowns, and coarse and fine roughness, in metres.
vec4 bumps(vec4 clump, vec4 crown) {
    return HIGH * vec4(domes(clump), domes(crown), abs(vec2(clump.x, crown.w) - 0.5));
}

// Snow that wind has packed lies in ridges along the wind: `drawn_out` is 1 there.
vec3 crown_at(vec3 near, float drawn_out) {
    vec3 wind = normalize(DUNES);
    return CROWNS * (near - wind * (0.8 * drawn_out * dot(near, wind)));
}

vec4 bumps_at(vec3 near, float drawn_out) { return bumps(texture(u_noise, near * CLUMPS), texture(u_noise, crown_at(near, drawn_out))); }

// How steep the face of a bed is at a place in it, 0..1: a cliff below, and a ledge above.
float bed_face(float at) {
    float x = fract(at);
    return smoothstep(0.0, 0.16, x) * (1.0 - smoothstep(0.34, 0.62, x));
}

// Steepness as the surface counts it.
float steepness(vec3 n, vec3 up) { return 1.25 * sqrt(max(1.0 - dot(normalize(n), up), 0.0)); }

// How far a place is inside a wood (x, y: 0.5 at the edge) and how light the pattern of its ground is (z, w). The relief of
// what lies there joins `slopes`, which are the tile's. `h`: metres; `ridges`: from -1 in a hollow to 1 on a crest.
// `smooth_`: the slopes of the samples.
vec4 materials(Ground ground, float h, vec2 ridges, vec2 smooth_, vec3 middle, vec3 a, vec3 b, inout vec4 slopes) {
    vec3 near = ground.near, up = ground.up;
    vec4 cover = ground.cover;
    vec4 region = texture(u_noise, near * REGION), stands = texture(u_noise, near * STANDS);
    // From here on noise is that of the place itself, or it would be drawn out on cliffs, whose texels are long.
    near += up * (h / NEAR_METRES);
    vec4 groves = texture(u_noise, near * GROVES), clump = texture(u_noise, near * CLUMPS);
    float longest = ground.shortest * sqrt(1.0 + 0.6 * dot(slopes.xy, slopes.xy));
    vec2 grove_seen = seen(GROVE_M, longest), clump_seen = seen(CLUMP_M, longest), crown_seen = seen(CROWN_M, longest);
    vec3 fine = middle + slopes.x * a + slopes.y * b, coarse = middle + slopes.z * a + slopes.w * b;
    vec2 slope = vec2(steepness(fine, up), steepness(coarse, up)), lies = slopes.xy;
    vec2 ridge = ridges * abs(ridges);

    float t = clamp(h / u_relief_m, 0.0, 1.0), valley = cover.a - 0.5;
    float warm = warmth_at(up, t) + 4.8 * (region.z - 0.5) + 3.0 * (stands.y - 0.5);
    // Slopes that face the pole keep their water.
    vec3 lean = coarse / dot(coarse, up) - up;
    float shady = SPHERICAL == 1 ? sign(up.y) * lean.y : lean.z;
    vec2 moist = cover.r + 0.16 * valley + 0.34 * (stands.x - 0.5) + 0.14 * clamp(shady, -1.0, 1.0) + 0.34 * grove_seen * (groves.z - 0.5) - 0.10 * ridge;

    // Woods, with clearings, groves before their edges and a ragged upper limit.
    vec2 patchy = 1.3 * (stands.w - 0.5) + 0.8 * (region.z - 0.5) + 1.3 * grove_seen * (groves.w - 0.5) + 1.1 * clump_seen * (clump.w - 0.5);
    vec2 floor_ = cover.g * clamp((0.34 - slope) / 0.24, 0.0, 1.0);
    vec2 stand = 1.05 * clamp((moist - 0.47) / 0.22, 0.0, 1.0) - 0.74 + 1.6 * patchy
        - 1.5 * max(slope - 0.30, 0.0) - 0.5 * floor_ - 0.3 * gravel_and_salt(cover).x - 0.30 * ridge - 1.2 * (1.0 - ramp(-1.0, 4.0, warm)) - 0.9 * clamp((0.46 - moist) / 0.16, 0.0, 1.0);
    // Where woods lack water, trees and bushes stand apart: the drier, the fewer, and in deserts none. From afar they are a tint.
    vec2 lone = 2.0 * (mix(vec2(0.5), clump.zz, clump_seen) - mix(vec2(LONE.x), vec2(LONE.y), clamp((moist - 0.12) / 0.40, 0.0, 1.0)) + 0.40 * (stands.w - 0.5) + 0.55 * (groves.w - 0.5) - 0.14 * ridge)
        - 1.5 * max(slope - 0.42, 0.0) - 8.0 * max(0.14 - cover.r, 0.0) - 0.5 * (1.0 - ramp(-1.0, 4.0, warm)) - 0.4 * gravel_and_salt(cover).y;
    stand = max(stand, lone);
    vec2 wooded = clamp(stand / 0.12 + 0.5, 0.0, 1.0);

    // Rock shows where it is steep. Its beds are cliffs and ledges.
    vec2 rocky = smoothstep(0.34, 0.60, slope + 0.24 * (stands.z - 0.5) + 0.24 * grove_seen * (groves.y - 0.5) + 0.10 * ridge) * (1.0 - 0.8 * wooded);
    float cold = u_snow_c - warm - 7.0 * ramp(0.42, 0.12, cover.r) - 8.0 * max(valley, 0.0);
    vec2 snowy = smoothstep(0.0, 4.0, cold) * (1.0 - rocky);
    // Deep snow fills the gullies.
    slopes = mix(slopes, smooth_.xyxy, 0.45 * snowy.xxyy);
    // They are folded at every scale, or they would be contour lines.
    float fold = 170.0 * (stands.z - 0.5) + 420.0 * (region.y - 0.5) + 24.0 * (groves.x - 0.5);
    float thick = (h + fold) / THICK_BED + dot(near, DIP);
    // Beds are not equally thick.
    thick += UNEVEN * (abs(fract(0.31 * thick) - 0.5) + abs(fract(0.127 * thick + 0.3) - 0.5));
    float thin = (h + fold + 8.0 * (clump.z - 0.5)) / THIN_BED + dot(near, round(DIP * (THICK_BED / THIN_BED)));
    vec2 rise = 1.5 * slope * slope + 0.04;
    vec2 thick_seen = seen(0.5 * THICK_BED / rise, ground.shortest), thin_seen = seen(0.5 * THIN_BED / rise, ground.shortest);
    // Here beds stand out, and in most places they hide in shattered rock, which breaks off in patches.
    float clear_ = (0.35 + 0.65 * cover.b) * smoothstep(0.49, 0.60, 0.45 * stands.w + 0.35 * region.w + 0.20 * groves.z);
    vec2 bedded = 1.0 + rocky * clear_ * (1.0 - 0.5 * step(0.0, cold)) * (thick_seen * 1.4 * (bed_face(thick) - 0.42) + thin_seen * 0.9 * (bed_face(thin) - 0.42));
    slopes *= max(bedded, 0.2).xxyy;

    // Dunes cross the wind where dry ground is level and soft.
    float dune = fract(dot(near, DUNES) + 1.8 * (stands.y - 0.5) + 0.3 * (groves.y - 0.5));
    float slip = smoothstep(0.54, 0.74, dune) * (1.0 - smoothstep(0.84, 1.0, dune));
    vec2 sandy = (1.0 - smoothstep(0.28, 0.48, moist)) * (1.0 - smoothstep(0.16, 0.30, slope)) * (1.0 - smoothstep(0.36, 0.56, cover.b))
        * smoothstep(0.36, 0.54, region.w) * (1.0 - snowy) * grove_seen * (1.0 - gravel_and_salt(cover).y);
    vec3 wind = normalize(DUNES);
    vec2 rising = sandy * (0.08 - 0.29 * slip);

    // The slopes of relief, metres a metre.
    float drawn_out = step(0.5, snowy.x);
    float step_m = 0.3 * ground.shortest;
    vec4 crown = texture(u_noise, crown_at(near, drawn_out)), here = bumps(clump, crown);
    vec4 along = (bumps_at(near + (a - up * lies.x) * (step_m / NEAR_METRES), drawn_out) - here) / step_m;
    vec4 across = (bumps_at(near + (b - up * lies.y) * (step_m / NEAR_METRES), drawn_out) - here) / step_m;
    vec2 rough = (0.10 + 1.0 * rocky + 0.35 * snowy) * (1.0 - wooded);
    vec4 own = vec4(wooded.x * clump_seen.x, wooded.x * crown_seen.x, rough.x * clump_seen.x, rough.x * crown_seen.x);
    vec4 next = vec4(wooded.y * clump_seen.y, wooded.y * crown_seen.y, rough.y * clump_seen.y, rough.y * crown_seen.y);
    slopes -= vec4(dot(own, along), dot(own, across), dot(next, along), dot(next, across));
    slopes -= vec4(dot(wind, a), dot(wind, b), dot(wind, a), dot(wind, b)) * rising.xxyy;

    vec2 light = 0.5 + 0.7 * (region.x - 0.5) + 1.0 * (stands.y - 0.5) + 0.9 * grove_seen * (groves.x - 0.5)
        + 0.7 * clump_seen * (clump.y - 0.5) + 0.6 * crown_seen * (crown.x - 0.5) - 0.08 * sandy * (slip - 0.3);
    vec2 beds = 0.5 + clear_ * (0.42 * thick_seen * (abs(fract(0.5 * thick + 0.2) - 0.5) * 2.0 - 0.5) + 0.32 * thin_seen * (bed_face(thin + 0.3) - 0.42))
        + 0.9 * clump_seen * (clump.x - 0.5) + 0.8 * (stands.x - 0.5);
    vec2 crowns = 0.5 + 0.30 * clump_seen * (here.x / HIGH.x - 0.62) + 0.50 * crown_seen * (here.y / HIGH.y - 0.62) + 0.5 * (groves.x - 0.5) + 0.5 * crown_seen * (crown.z - 0.5);
    // Crests are lighter than hollows.
    light = mix(mix(light, beds, rocky), crowns, wooded) + 0.32 * ridge;
    return vec4(stand / (2.0 * EDGE_RANGE) + 0.5, light);
}
