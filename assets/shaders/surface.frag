// Shades land and water and blends them into the air. Each set of switches is compiled separately, because a software renderer
// evaluates both sides of every branch:
// MIXED: heights change from set a to set b; LOOK: 0 natural, 1 as printed, 2 unlit, or the lines of any look but 1;
// SPHERICAL: a planet; FLAT: normals of triangles or as printed, in look 0; TILES: heights and normals with detail, from the patch's tile;
// DRY: no water; SEA: no land; FADE: the detail fades in; LAKES: some water stands above the sea; FINE: more waves and finer clouds; CONE:
// between the double cone and the sphere; SHEET: between the sphere and a flat sheet; CLOUDS: a planet's clouds; BELOW: the eye is below them, so that only their shadow is seen; RINGS: the
// shadow of the rings; LEVELS: the levels of detail as colours; RHOMBI: those of the double cone's mesh, outlined; DEFERRED: the mesh has been drawn: see deferred.glsl. The looks that cost little branch by uniforms instead.

#include "scatter.glsl"
// What has no detail, or none yet, has grain all the same.
#define GRAINED (FINE && !CONE && !SHEET)

#if DEFERRED
#define HANDED
#else
#define HANDED in
#endif
#include "surface_varyings.glsl"
#if TILES
uniform sampler2D u_tile_heights;
uniform sampler2D u_tile_slopes;
#endif
float detailed = 0.0;               // 0..1: weight of the detail seen only from near
vec3 sunlight;                      // that arrives: v_sunlight less the shadow of rings

uniform sampler2DArray u_shade_a;   // normal, height / u_height_scale
#if MIXED
uniform sampler2DArray u_shade_b;
#endif
#if !SPHERICAL
uniform sampler2DArray u_light_a;   // horizons, share of open sky: see horizon.glsl
#if MIXED
uniform sampler2DArray u_light_b;
#endif
#endif
uniform sampler3D u_noise;

layout(location = 0) out vec4 o_colour;

const float PI = 3.14159265, GUTTER = 2.0;

// The place of the pixel on its face, 0..1.
vec2 on_face() { return (v_texture.xy * (u_samples + 2.0 * GUTTER) - GUTTER - 0.5) / (u_samples - 1.0); }

#if !DRY
#include "lakes.glsl"
#endif
float fresh = 0.0;                  // 1 on a lake
// Shores of planets that have no detail yet, or are too far away for it, are moved by noise: by how many samples, and its periods.
#define SHAKEN (SPHERICAL && LOOK == 0 && !CONE && !SHEET && !LAKES && !DRY && (FADE || !TILES))
const float SHAKEN_SAMPLES = 10.0, SHAKES = 26.0;
#if LAKES
float inland;                       // metres that the water is above the sea

// How much of the water is a lake's, 0..1, and not the sea's.
float of_lake() { return smoothstep(0.0005, 0.0020, inland / u_relief_m); }
#endif
// By how much heights in a pixel of a shore differ at most, in the highest land: a pixel of a sheet is larger than a sample. With
// tiles it is by the distance, because a pixel at a tile's rim sees another tile's height beside it.
const float WIDEST_SHORE = SHEET == 1 ? 0.050 : 0.010, TILED_SHORE = 0.0002;
#include "sea.glsl"
#include "cover.glsl"
#include "ground_light.glsl"
#if !SPHERICAL
#include "rim.glsl"
#endif
#if TILES && LAKES
#if !DEFERRED
uniform sampler2DArray u_heights_a;
#endif
#include "shore.glsl"
#endif
#if !SPHERICAL
#include "horizon.glsl"
#endif
#if DEFERRED
#include "deferred.glsl"
#endif
#if TILES || GRAINED
#include "near.glsl"
#endif
#if TILES
#include "tile.glsl"
#include "patches.glsl"
#include "standing.glsl"
// A pixel that looks straight down sees the distance over this or less.
const float FOOT = 300.0;
// Grain finer than the texels of tiles in the pattern of the ground.
const float SPECKLED = FINE == 1 ? 0.80 : 0.70;
// By how much the light of grass and sand, and of rock and woods, varies with that grain. Where it is fine it can be strong, as it
// is in nature: coarse, it would be blobs.
const float GRASSY = FINE == 1 ? 1.35 : 0.75, STONY = FINE == 1 ? 1.40 : 0.85;
// By how much of its height a place's grain is moved down to the ground below: grain of walls is drawn out so much.
const float RUN = 0.62;
// How much darker the sides of trees are at their feet.
const float FEET = 0.20;
// Sine of the height of a sun that draws the longest shadows of trees.
const float LOWEST_SUN = 0.15;
// How far it tilts the ground: grass and sand, and how much more bare rock and woods.
const vec2 TILTED = FINE == 1 ? vec2(0.70, 1.10) : vec2(0.25, 0.75);
#endif

// The sea deepens towards the rim of a terrain's square, so that it joins the open sea around it.
float open_sea() {
    if (SPHERICAL == 1)
        return 0.0;
    vec2 rim = 0.5 - abs(on_face() - 0.5);
    return 1.0 - smoothstep(0.0, 0.14, min(rim.x, rim.y));
}

// Lanes of wind on a planet's seas are lost where the distance times this is 1.5 periods of the noise.
const float LANES = 10.0;
// The waves whose crests break, and periods of the gusts that break them, over NEAR_METRES: whole numbers.
const vec3 FRONTS = vec3(2240.0, 990.0, 1310.0);
const float GUSTS = 270.0;

#if TILES
// Slopes from which on ground is a wall, metres over which its beds repeat, and how these dip: whole numbers of them in NEAR_METRES.
const vec2 WALL = vec2(0.38, 0.60), BEDS_M = vec2(64.0, 16.0);
const vec3 DIPS = vec3(0.125, 0.0625, -0.09375);

// The pattern of a wall, -0.5..0.5: here and there folded beds of rock of uneven thickness, each lighter or darker than those above
// and below, and noise. Beds that are thinner than some pixels, metres wide each, are left out.
float walled(float h, vec4 broad, vec4 mild, vec4 speck, float pixel) {
    float high = h + dot(DIPS, u_near * NEAR_METRES + v_relative) + 260.0 * (broad.y - 0.5) + 44.0 * (mild.x - 0.5) + 6.0 * (speck.w - 0.5);
    vec2 at = high / BEDS_M;
    at += 0.9 * abs(fract(0.25 * at) - 0.5);
    vec2 seen = clamp(1.5 - 6.0 * pixel / BEDS_M, 0.0, 1.0), bed = smoothstep(vec2(0.2), vec2(0.8), abs(fract(at) - 0.5) * 2.0) - 0.5;
    float clear_ = smoothstep(0.45, 0.60, 0.5 * mild.w + 0.5 * broad.z);
    return 1.2 * (mild.y - 0.5) + 0.4 * (speck.z - 0.5) + clear_ * dot(seen * bed, vec2(0.35, 0.25));
}
#endif

// `share`: of the sunlight that mountains let through; `silt`: drifts in the water, 0..1.
vec3 water(vec3 up, vec3 view, float depth, float away, vec4 broad, vec4 mild, vec4 speck, float share, float silt) {
    // Waves show from near. From afar they only widen the sun's glitter.
    float near_ = exp(-away / 7000.0);
#if TILES
    vec3 ripple = 0.55 * exp(-away / 5000.0) * ripples(speck);
#elif FINE
    vec3 at = u_origin * 37.0 + v_relative * (37.0 / u_noise_metres) + vec3(0.0, u_time * 0.05, 0.0);
    vec3 ripple = texture(u_noise, at).rgb + texture(u_noise, at * 5.0 + 0.3).rgb - 1.0;
#else
    vec3 ripple = 2.0 * mild.rgb - 1.0;
#endif
    // Towards the rim the sea becomes the one around the square, waves and glitter included.
    float open_ = open_sea();
    vec3 n = normalize(up + ripple * (0.07 * near_ * (1.0 - open_)));
    // From afar, shelves show down to the depth that u_murk gives. From near, the bottom fades within metres.
    float murk = mix(u_murk, max(u_murk, u_relief_m / (SPHERICAL == 1 ? 26.0 : 110.0)), exp(-away / 25000.0));
    float bottom = exp(-depth * murk);
#if SPHERICAL
    // Seas are dark with a thin bright rim: slopes beyond the shelves still return a little light.
    bottom = 0.86 * bottom + 0.14 * exp(-depth * 0.16 * murk);
#endif
    vec3 body = mix(u_palette[1], u_palette[0], max(1.0 - bottom, open_));
    // Rivers colour the sea before their mouths, in swathes.
    float close_ = exp(-away / 250000.0);
    float swathe = clamp(silt * (1.0 + mix(1.6, 0.4, close_) * (broad.x - 0.5) + mix(1.0, 0.3, close_) * (mild.y - 0.5)), 0.0, 1.0);
    swathe *= swathe;
    body = mix(body, mix(0.95 * u_palette[1] + 0.02 * u_palette[2], 0.50 * u_palette[1] + 0.12 * u_palette[2], swathe), 0.8 * swathe);
#if LAKES
    // Fresh water hides its bed within metres and is dark with dissolved matter. A flat sheet shows it bright, as atlases do.
    vec3 tea = 0.5 * u_palette[0] + 0.06 * u_palette[3];
#if SHEET
    tea = mix(0.3 * u_palette[0] + 0.5 * u_palette[1], tea, u_bend);
#endif
    body = mix(body, mix(tea, 0.35 * u_palette[1] + tea, exp(-max(depth, 0.0) * u_relief_m / 9.0)), of_lake());
#endif
    // So does a lake on carved land.
    vec3 tarn = fresh_water(u_palette[0], u_palette[1], u_palette[3]);
    body = mix(body, mix(tarn, 0.30 * u_palette[1] + 0.10 * seen_through_water(u_palette[2]) + tarn, exp(-max(depth, 0.0) * u_relief_m / 5.0)), fresh);
    // Wind roughens the sea in patches, which show from space in the sun's glitter.
    float wide = smoothstep(30000.0, 150000.0, away);
#if LAKES
    // Winds have no room on a lake.
    wide *= 1.0 - of_lake();
#endif
    float rough = mix(0.5, 0.5 * broad.w + 0.5 * mild.y, wide);
    float spread = mix(mix(34.0 + 150.0 * rough * rough, 420.0, near_), OPEN_SPREAD, open_);
    // The open sea around a terrain knows no shadows.
    vec3 light = shaded_sea_light(body, up, n, view, spread, sunlight, v_skylight, mix(share, 1.0, open_));
    // From low above, the same patches show as lighter and darker lanes.
#if SPHERICAL
    float low = clamp(1.5 - away * LANES / u_noise_metres, 0.0, 1.0);
#if LAKES
    low *= 1.0 - 0.7 * of_lake();
#endif
    light *= 1.0 + low * (0.30 * (broad.y - 0.5) + 0.40 * (mild.w - 0.5));
#else
    light *= 1.0 + (1.0 - open_) * (0.9 * (broad.y - 0.5) + 0.6 * (mild.w - 0.5));
#endif
#if TILES
    // Where the wind is strong, crests break here and there, each for some seconds.
    float windy = smoothstep(0.49, 0.64, 0.6 * mild.w + 0.4 * broad.y) * (1.0 - open_) * (1.0 - fresh) * (1.0 - smoothstep(800.0, 3500.0, away));
#if LAKES
    windy *= 1.0 - of_lake();
#endif
    vec3 at = u_near + v_relative / NEAR_METRES;
    vec4 gusts = texture(u_noise, at * GUSTS + vec3(0.0, 0.004 * u_time, 0.0));
    float front = sin(2.0 * PI * dot(at, FRONTS) - 0.9 * u_time + 5.0 * gusts.x + 1.2 * speck.x);
    float crest = smoothstep(0.72, 1.0, front) * smoothstep(0.57, 0.72, gusts.y) * smoothstep(0.38, 0.60, speck.z);
    light = mix(light, vec3(0.65) * (sunlight * (share * max(dot(up, u_sun), 0.0)) + v_skylight * 1.5) / PI, 0.38 * windy * crest);
#endif
    return light;
}

// Metres over which strata of rock repeat, and their colours by that of the rock.
const float STRATA_M = 330.0;
const vec3 COLD_ROCK = vec3(0.93, 0.99, 1.05), WARM_ROCK = vec3(1.14, 0.98, 0.82);
const float BARE_FROM = SPHERICAL == 1 ? 0.36 : 0.46;   // slope at which bare rock begins, seen from near

// Biomes by temperature and moisture, after Whittaker: sand and rock, steppe, woods; tundra and ice in cold climates.
// `h`: metres; `cover`: see cover.glsl. `lies`: seen from near, how far the place is inside a wood, the pattern of its ground, the
// hue of its meadows, and its finest grain: see patches.glsl. `bare`: how rough the ground is, 0..1: of bare rock, or of woods.
vec3 land(float h, float slope, vec3 up, vec4 broad, vec4 grain, vec4 cover, vec4 lies, out float bare) {
    float t = clamp(h / u_relief_m, 0.0, 1.0), far = length(v_relative) / u_noise_metres;
    float wobble = (broad.x - 0.5) * 1.6 + (grain.y - 0.5) * 0.8;
    float warm = warmth_at(up, t) + 3.0 * wobble, cold = u_snow_c - warm;
    // From near, the full range of colours must appear within a few valleys.
    float ridge = 0.5 - cover.a, moist = cover.r - 0.16 * ridge + mix(0.16, 0.40, detailed) * (grain.x - 0.5);
    float grown = smoothstep(0.24, 0.58, moist), timber = ramp(-1.0, 4.0, warm), mild = ramp(3.0, 14.0, warm);
    float floor_ = cover.g * ramp(0.34, 0.10, slope);
    // Sand lies on soft rock and in basins; hard rock stands bare.
    float stony = ramp(0.28, 0.62, cover.b + 0.9 * (grain.w - 0.5) + 0.5 * ridge - 0.5 * floor_);
    vec3 dry_ = mix(mix(u_cover[3], u_cover[0], mild), mix(u_cover[4], u_cover[1], mild), stony);
    vec3 meadow = mix(u_cover[5], u_cover[2], mild);
#if TILES
    // Meadows are straw where they are dry, and heath and rushes where they are wet.
    float hue = detailed * clamp(3.0 * (lies.z - 0.5) + 1.6 * lies.y, -1.0, 1.0);
    meadow *= hue > 0.0 ? mix(vec3(1.0), vec3(1.30, 1.08, 0.90), hue) : mix(vec3(1.0), vec3(0.72, 0.78, 0.92), -hue);
#endif
    vec3 colour = mix(dry_, meadow, grown);
    // Floors of valleys are lighter: meadows, or sand and gravel where it is dry.
    colour *= 1.0 + 0.20 * floor_;
    // Fans of gravel are grey and bare where little grows, and the plains of deltas are dark silt and reeds.
    vec2 laid = gravel_and_salt(cover);
    float pebbles = laid.x * ramp(0.46, 0.22, slope) * clamp(0.75 + 2.4 * (grain.z - 0.5), 0.0, 0.85) * (1.0 - 0.75 * grown * timber);
    colour = mix(colour, u_deposits[0] * (0.80 + 0.55 * grain.x), pebbles);
    float delta = floor_ * ramp(0.0062, 0.0034, t) * (1.0 - laid.x);
    colour = mix(colour, mix(u_deposits[1], u_deposits[2], clamp(1.6 * grown + 2.6 * (grain.y - 0.5), 0.0, 1.0)), 0.85 * delta);
    // Woods on gentle and moist ground. From near they stand in dark patches with sharp edges among lighter meadows; from afar
    // an edge is softer than a pixel is wide, or it would glitter.
    float apart = ramp(0.0, SPHERICAL == 1 ? 0.08 : 0.06, far);
    float stand = mix(0.95, 1.25, apart) * ramp(0.47, 0.69, moist) - mix(0.86, 0.66, apart) + mix(2.5, 1.2, apart) * (0.6 * grain.w + 0.4 * grain.z - 0.5)
        + 0.4 * (broad.z - 0.5) - 1.5 * max(slope - 0.28, 0.0) - 0.5 * floor_;
    float woods = timber * clamp(stand / mix(0.12, 0.70, apart) + 0.5, 0.0, 1.0) * (1.0 - 0.8 * delta);
    vec3 leaves = u_cover[6] * (0.72 + 0.28 * mild + 0.22 * apart);
#if TILES
    woods = mix(woods, clamp(lies.x / (0.10 + length(v_relative) / 24000.0) + 0.5 - 0.4 * delta, 0.0, 1.0), detailed);
    // Bushes of dry lands are as grey as green.
    leaves = mix(mix(leaves, dry_, 0.35), leaves, max(grown, 1.0 - detailed));
    // Crowns are light, and the gaps between them dark. They do not make the ground steeper.
    leaves *= 1.0 + detailed * (2.2 * lies.y - 0.04);
    slope = mix(slope, min(slope, 0.30), woods * detailed);
#endif
    colour = mix(colour, leaves, 0.92 * woods);
    // From far above, a wide beach marks the coast. From near, it is a few metres of sand.
    float beach = mix(LAKES == 1 ? 0.3 : 0.6, 0.10, detailed * (1.0 - smoothstep(0.004, 0.12, far)));
    // Sand gathers in some bays. Elsewhere and where the shore is steep, woods, meadows and rock come down to the water.
    beach *= mix(1.0, 0.06 + 1.2 * ramp(0.50, 0.64, broad.w + 0.15 * (grain.x - 0.5)) * ramp(0.34, 0.14, slope), detailed);
    float dry = t;
#if MIXED
    dry += u_soft / u_relief_m;
#endif
    float inland = smoothstep(mix(0.002, 0.006, detailed) * beach, mix(0.014, 0.011, detailed) * beach, dry + mix(0.010, 0.016, detailed) * beach * (grain.z - 0.5));
    // From above, shores of green land are green.
    colour = mix(mix(u_palette[2], u_deposits[1], delta), colour, max(inland, 0.85 * grown * ramp(0.001, 0.008, far)));
    // Dry basins have floors of pale clay, with salt in the middle.
    float pan = laid.y * (1.4 + 1.6 * (grain.z - 0.5)) * ramp(0.20, 0.08, slope);
    colour = mix(colour, mix(u_deposits[3], u_deposits[4], ramp(0.45, 0.80, pan)), ramp(0.06, 0.34, pan));
    float steep = slope + 0.14 * wobble + 0.16 * smoothstep(0.35, 0.8, t);
#if TILES
    // Scree lies below cliffs in hollows, and wet ground in level ones.
    vec3 stones = mix(u_cover[4], u_palette[6], 0.6) * 1.25;
    float scree = detailed * smoothstep(0.27, 0.40, slope - 0.25 * lies.y) * (1.0 - woods) * (1.0 - 0.6 * grown * timber);
    colour = mix(colour, stones, 0.75 * scree);
    float wet = detailed * grown * ramp(0.10, 0.03, slope) * smoothstep(0.04, 0.22, -lies.y) * (1.0 - woods);
    colour *= 1.0 - wet * vec3(0.42, 0.36, 0.30);
#endif
    // Little snow falls where it is dry, and it melts first in valleys.
    cold -= 7.0 * ramp(0.42, 0.12, cover.r) - 8.0 * min(ridge, 0.0);
    // Iron stains some strata, and others are blue-grey. From afar they are mixed.
    float stratum = abs(fract(h / STRATA_M + 7.0 * (broad.y - 0.5) + 1.1 * (grain.x - 0.5)) - 0.5) * 2.0;
    vec3 stained = mix(vec3(1.0), mix(COLD_ROCK, WARM_ROCK, smoothstep(0.25, 0.75, stratum)), detailed);
#if SPHERICAL
    bare = smoothstep(mix(0.50, BARE_FROM, detailed), mix(0.74, BARE_FROM + 0.23, detailed), steep);
#if TILES
    bare *= 1.0 - 0.85 * woods * detailed;
#endif
    colour = mix(colour, u_palette[6] * stained * (0.7 + 0.6 * grain.w), bare * (1.0 - 0.3 * grown));
    float snow = smoothstep(0.0, 7.0, cold + 5.0 * (grain.y - 0.5)) * (1.0 - smoothstep(mix(0.50, 0.32, apart), mix(0.82, 0.70, apart), slope));
#else
    // Rock breaks through in patches, whose edges are sharper from near, and shows its beds.
    float ragged = steep + 0.6 * detailed * (grain.z - 0.5), soft = mix(0.12, 0.05, detailed);
    bare = smoothstep(0.58 - soft, 0.58 + soft, ragged);
#if TILES
    bare *= 1.0 - 0.85 * woods * detailed;
#endif
    vec3 rock = mix(u_palette[6], vec3(dot(u_palette[6], vec3(0.33))), 0.15) * mix(0.66, 1.20, smoothstep(0.36, 0.64, grain.w));
    colour = mix(colour, rock * stained, bare * (1.0 - 0.35 * grown));
    // Snow lies where the ground is not too steep. Colder snow holds on steeper ground.
    float hold = 0.46 + 0.022 * clamp(cold, 0.0, 14.0);
    float snow = smoothstep(0.0, mix(5.0, 2.5, detailed), cold + 10.0 * detailed * (grain.y - 0.5)) * (1.0 - smoothstep(hold, hold + 2.0 * soft, slope + 0.4 * (grain.z - 0.5)));
#endif
    bare *= 1.0 - snow;
#if TILES
    // Stones, tussocks and crowns: each is lighter or darker than those beside it, more so in some places than in others.
    colour *= 1.0 + detailed * mix(GRASSY, STONY, max(bare, woods)) * mix(0.35, 1.65, smoothstep(0.40, 0.60, lies.z)) * (lies.w - 0.5);
    bare = max(bare, 0.8 * woods * detailed);
#endif
    // In orbit white is dazzling: relief must be seen in it.
    colour = mix(colour, u_palette[7] * (SPHERICAL == 1 ? 1.0 - 0.22 * apart : 1.0), snow);
    // From orbit valleys are told by less light, too, for which the sun may stand anywhere.
    float light = 0.86 + 0.44 * grain.x;
#if TILES
    light = mix(light, 1.08 + 0.65 * lies.y * (1.0 - woods), detailed);
#endif
    return colour * light * (0.90 + 0.20 * broad.z) * (1.0 + 0.55 * ridge * apart);
}

vec3 printed(float h) {
    if (u_printed_sea == 1 && h <= 0.0)
        return u_printed[0];
    float t = clamp((h - u_printed_range.x) / max(u_printed_range.y - u_printed_range.x, 1e-3), 0.0, 1.0);
    return mix(u_printed[1], u_printed[2], t);
}

// The light of an sRGB colour, so that it comes out of the picture's encoding as it was.
vec3 linear_light(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

#if RINGS
#include "rings.glsl"
#endif

#if CLOUDS && !BELOW
#include "cloud_layer.glsl"
#endif

#if GRAINED
// By how much the light of ground without detail varies with its grain.
const float YOUNG = SPHERICAL == 1 ? 0.5 : 1.2;

// While the ground rises and sinks its grain is that of the place on the map, or it would boil: metres from the eye.
vec3 on_map() {
#if SPHERICAL
    vec3 from_centre = u_eye + v_relative;
    return v_relative - from_centre * (1.0 - u_size / length(from_centre));
#else
    return vec3(v_relative.x, -u_near.y * NEAR_METRES, v_relative.z);
#endif
}
#endif

// Noise at many scales that varies the colour and tilts the normal. The finest grain appears only where it spans pixels.
void grains(float away, vec4 speck, out vec4 broad, out vec4 mild, out vec4 grain, out vec3 bump) {
#if SHEET
    vec3 at = normalize(v_place) * (u_size / u_noise_metres);
#else
    vec3 at = u_origin + v_relative / u_noise_metres;
#endif
    float close = clamp(2.0 - away * 8.0 / u_noise_metres, 0.0, 1.0);
    float closer = clamp(2.0 - away * 60.0 / u_noise_metres, 0.0, 1.0);
#if TILES
    broad = v_broad;
#else
    broad = 0.6 * texture(u_noise, at) + 0.4 * texture(u_noise, at * 8.0);
#endif
    mild = texture(u_noise, at * 96.0);
    grain = mix(mix(broad, 0.4 * broad + 0.6 * mild, close), 0.48 * mild + 0.52 * speck, detailed);
    vec4 tilt = mix(mix(vec4(0.5), mild, 0.7 * closer), 0.4 * 0.5 + 0.6 * speck, detailed);
    bump = tilt.xyz - 0.5;
#if GRAINED
    float young = YOUNG * (1.0 - detailed);
    grain += young * (speck - 0.5);
#if !SPHERICAL
    // A planet is seen from so far above that its grain would be fur in raking light.
    bump += young * (speck.xyz - 0.5);
#endif
#endif
}

#if FLAT || LOOK != 0
// The normal of the triangle.
vec3 facet(vec3 up) {
    vec3 n = normalize(cross(dFdx(v_relative), dFdy(v_relative)));
    return dot(n, up) < 0.0 ? -n : n;
}

// As the plasma article prints smooth normals: the normalised position. In other forms a planet's middle is not one point.
vec3 position_normal(vec3 up) {
#if SPHERICAL
    return up;
#else
    return normalize(v_relative - u_normals_from);
#endif
}
#endif

#if LEVELS
const vec3 LEVEL_COLOURS[6] = vec3[6](vec3(0.8, 0.1, 0.1), vec3(0.8, 0.5, 0.1), vec3(0.7, 0.8, 0.1), vec3(0.1, 0.7, 0.2), vec3(0.1, 0.4, 0.9), vec3(0.6, 0.2, 0.8));

vec3 level_colour() {
    int level = int(v_level.x + 0.5);
    return mix(LEVEL_COLOURS[level % 6], LEVEL_COLOURS[(level + 5) % 6], v_level.y);
}
#endif

#if RHOMBI
// Sizes in pixels: half the width of a line, the length of a dot with its gap, and a rhombus that is just too small and one
// that is large enough to be outlined.
const float LINE = 1.0, DOT = 7.0, SMALL = 6.0, LARGE = 16.0;

// How much of the pixel the dotted outlines of rhombi cover, 0..1: lines along which u or v is whole, counted in cells.
float outlines() {
    if (u_rhombi.x < 1.0)
        return 0.0;
    vec2 at = on_face() * u_rhombi.x;
    vec2 pixel = max(fwidth(at), 1e-6), line = floor(at + 0.5);
    vec2 covered = clamp(LINE + 0.5 - abs(at - line) / pixel, 0.0, 1.0);
    // As many dots along an edge as a power of two, so that they end where the edge does.
    vec2 dots = exp2(max(floor(log2(1.0 / (DOT * pixel.yx)) + 0.5), 0.0));
    covered *= smoothstep(-0.2, 0.4, cos(2.0 * PI * dots * at.yx));
    covered *= mix(vec2(1.0), vec2(u_rhombi.y), mod(line, 2.0)) * smoothstep(SMALL, LARGE, 1.0 / pixel);
    return max(covered.x, covered.y);
}
#endif

void main() {
#if DEFERRED
    find_place();
#endif
#if TILES
    // Both sides of what a pixel sees of the ground choose the grain: the longer one alone would make it broad at grazing angles,
    // and the shorter one draw it out into streaks.
    vec2 spans = footprint();
    float away = length(v_relative), foot = FOOT * spans.y / away, coarse = clamp(foot * u_share - 1.5, 0.0, 1.0);
    detailed = u_detail * (1.0 - smoothstep(0.45, 0.95, away / u_tiled));
    float tree_m = mix(TREE_M.x, TREE_M.y, ramp(0.22, 0.52, v_cover.r));
    float high = SEA == 1 || LOOK != 0 ? 0.0 : detailed * tree_m * length(cross(v_relative, normalize(v_up))) / (away * spans.x);
    Standing seen = seen_first(coarse, high);
    vec4 slopes = texture(u_tile_slopes, seen.at);
    // The finest gullies are a texel wide. On walls, where texels are long, they would be fur.
    vec2 lean = mix(slopes.xy, slopes.zw, max(v_morph, 0.85 * smoothstep(1.0, 1.8, length(slopes.zw))));
#if DRY
    float height = v_height;
#else
    vec2 heights = texture(u_tile_heights, seen.at).rg;
    float height = mix(heights.x, heights.y, v_morph);
#endif
    vec3 east, south;
    tile_frame(SPHERICAL == 1 ? v_direction : vec3(0.0, 1.0, 0.0), east, south);
    vec4 shade = vec4((SPHERICAL == 1 ? v_direction : vec3(0.0, 1.0, 0.0)) + lean.x * east + lean.y * south, height / u_height_scale);
#else
    vec4 shade = texture(u_shade_a, v_texture);
#endif
#if !SPHERICAL
    vec2 share = lit(texture(u_light_a, v_texture), u_sun.y);
#else
    vec2 share = v_share;
#endif
#if FADE && MIXED
    vec4 last = texture(u_shade_b, v_texture);
    shade = mix(texture(u_shade_a, v_texture), last, u_mix) + (shade - last) * u_detail;
#elif FADE
    shade = mix(texture(u_shade_a, v_texture), shade, u_detail);
#elif MIXED
    shade = mix(shade, texture(u_shade_b, v_texture), u_mix);
#endif
#if MIXED && !SPHERICAL
    share = mix(share, lit(texture(u_light_b, v_texture), u_sun.y), u_mix);
#endif
    float h = shade.w * u_height_scale;
#if MIXED
    h -= u_sunk;
#endif
#if !SPHERICAL && LOOK != 1
    h -= rim_drop(on_face());
#endif
#if LAKES
    inland = max(v_inland.x, v_inland.y);
#endif
#if TILES && LAKES
    vec3 beside = ragged_shore(u_shade_a, v_relative);
    float standing = standing_above(u_shade_a, v_texture, beside, u_height_scale);
    // A ragged shore is that of the water beside it: where the sea reaches over higher ground, it is no lake.
    inland = abs(ground_beside(u_heights_a, v_texture, beside) - (standing - beside.z));
    // A tile holds heights above the sea only.
    h = standing < 0.0 ? min(h, standing) : max(h, 1.0);
#endif
    vec3 up = normalize(v_up);
    sunlight = v_sunlight;
#if RINGS
    // Under their shadow there is still the light of the sky.
    sunlight *= ring_shade(up, u_sun);
#endif
#if CONE
    vec3 n = normalize(shade.xyz + v_lean);
#elif SHEET
    vec3 place = normalize(v_place), east = normalize(vec3(-place.z, 0.0, place.x) + vec3(1e-6, 0.0, 0.0));
    vec3 n = normalize(dot(shade.xyz, east) * v_east + dot(shade.xyz, cross(east, place)) * v_north + dot(shade.xyz, place) * up);
#else
    vec3 n = normalize(shade.xyz);
#endif
#if SHAKEN
    // How the ground falls: metres a metre, level.
    vec3 falls = n / max(dot(n, up), 0.1) - up;
#endif
#if SPHERICAL
    // On small planets, relief reads from orbit only when mountain slopes are exaggerated. Plains are exaggerated
    // less, so that they still look flat.
    float afar = smoothstep(0.015, 0.22, length(v_relative) / u_noise_metres);
    float raised = LOOK == 1 ? 1.0 : 0.5 + 0.5 * smoothstep(0.03, 0.35, h / u_relief_m);
    float drawn = mix(1.1, u_steep * raised, afar);
    n = normalize(up + (n - up * dot(n, up)) * drawn);
#else
    // Terrains are rough from sample to sample. The steepest slopes are drawn gentler, or everything would be rock and
    // noise.
    n.y = 1.0;
#if LOOK == 1
    n.xz *= u_raised.x;
#endif
    n = normalize(n);
#endif
#if FLAT
    n = u_normals == 2 ? position_normal(up) : facet(up);
#elif LOOK != 0
    n = u_normals == 2 ? position_normal(up) : u_normals == 1 ? facet(up) : n;
#endif
#if !TILES
    float away = length(v_relative);
#endif
    vec3 view = -v_relative / away;
#if SHEET
    // Paper does not glitter.
    view = normalize(mix(up, view, u_bend));
#endif

#if LOOK == 1
    // The articles' colours are display values. They become linear light here; the picture is encoded once at the end.
    vec3 c = linear_light(printed(h));
    // The sea is flat: the slopes of its bed are not those of its surface.
    bool sea = u_printed_sea == 1 && h <= 0.0;
    bool shaded = (u_printed_lit == 1 || u_lit == 1) && !sea;
    float lit = shaded ? 0.25 + 0.75 * max(dot(n, normalize(u_sun + vec3(0.0, 0.6, 0.0))), 0.0) : 1.0;
    o_colour = vec4(c * (u_wire == 1 ? 1.4 : lit), 1.0);
#else
    vec4 broad, mild, grain;
    vec3 bump;
#if TILES
    float pixel = max(sqrt(spans.x * spans.y), 0.4 * spans.y);
    // On walls grain is drawn out downhill, as water and stones run.
    vec4 speck = speckle(v_relative - up * (RUN * v_height), pixel);
#if GRAINED && FADE
    speck = mix(speckle(on_map(), pixel), speck, u_detail);
#endif
#elif GRAINED
    vec2 spans = footprint();
    vec4 speck = speckle(u_rests == 0 ? on_map() : v_relative, max(sqrt(spans.x * spans.y), 0.4 * spans.y));
#else
    const vec4 speck = vec4(0.5);
#endif
    grains(away, speck, broad, mild, grain, bump);
#if SHAKEN
    // Between samples that are far apart a shore would be straight, with corners. It goes where the same slope would have it beside.
    vec4 shaken = 0.40 * broad + 0.34 * texture(u_noise, (u_origin + v_relative / u_noise_metres) * SHAKES) + 0.26 * mild - 0.5;
#if MIXED
    float carved = mix(u_covered.x, u_covered.y, u_mix);
#else
    float carved = u_covered.x;
#endif
#if FADE
    carved *= 1.0 - u_detail;
#endif
    h -= dot(falls, shaken.xyz) * (carved * SHAKEN_SAMPLES * u_size / u_samples);
#endif
#if !DRY
    // Below a lake's surface heights are counted from there.
    float lake = lake_level(v_texture), above = h - lake;
    if (above < 0.0 && lake > 0.0) {
        h = above;
        fresh = 1.0;
    }
#endif
    float slope = 1.0 - dot(n, up);
    slope = sqrt(max(slope, 0.0)) * 1.25;
#if CONE
    // The climate is already the sphere's.
    vec3 place = normalize(v_up - v_lean);
#elif !SHEET
    vec3 place = up;
#endif
#if LAKES
    // The shore of a lake has no sea beach.
    float solid = max(max(h, 0.0016 * u_relief_m), max(v_inland.x, v_inland.y));
#else
    float solid = h;
#endif
    float bare;
#if TILES
    vec4 cover = v_cover;
    vec2 found = seen.here - vec2(0.0, FEET * seen.side);
    // Crowns that are too fine for the tile's texels: each is where one of the noises is the highest.
    float crown = max(max(speck.x, speck.y), max(speck.z, speck.w)) - 0.62;
    found = (found + SPECKLED * vec2(crown, 0.5 * crown + 0.3 * (speck.y - 0.5))) / vec2(1.0, 1.0 + 0.2 * max(foot - 2.0, 0.0));
    // A tile's texels are long on walls, where its pattern would look like fur: there it is that of the place itself, with beds.
    float wall = ramp(WALL.x, WALL.y, slope);
    found.y = mix(found.y, walled(h, broad, mild, speck, spans.x), wall);
    grain = patterned(grain, found.y);
    // Some faces of rock are smooth and others broken: grain of one strength would be a carpet.
    float broken = mix(1.0, mix(0.40, 1.05, smoothstep(0.42, 0.58, 0.5 * broad.w + 0.5 * mild.x)), wall);
    vec3 albedo = land(solid, slope, place, broad, grain, cover, vec4(found, mild.z, 0.5 + broken * (speck.w - 0.5)), bare);
    // Joints of bare rock are dark lines.
    albedo *= 1.0 - 0.28 * min(wall, bare) * smoothstep(0.55, 0.95, broken) * detailed * (1.0 - smoothstep(0.0, 0.045, abs(speck.x - 0.5)));
#else
    vec4 cover = ground_cover(v_texture, place, broad);
    vec3 albedo = land(solid, slope, place, broad, grain, cover, vec4(0.0), bare);
#endif
#if !DRY
    // The shore is wet for a metre above a lake, and bare of what grows.
    if (fresh == 0.0 && lake > 0.0)
        albedo = mix(mix(u_palette[2] * 0.55, albedo * 0.6, 0.45), albedo, smoothstep(0.0, 1.6, above + 1.2 * (grain.z - 0.5)));
#endif
#if LOOK == 2
    if (u_wire == 1) {
        albedo = h <= 0.0 ? u_palette[1] : albedo;
        o_colour = vec4(mix(albedo, vec3(0.35), 0.3) * 0.9 * v_clear + v_haze * 0.3, 1.0);
    } else {
        vec3 sea = mix(u_palette[1], u_palette[0], 1.0 - exp(h / u_relief_m * 5.0));
        o_colour = vec4((h <= 0.0 ? sea : albedo) * 1.6, 1.0);
    }
#else
#if !DRY
    float depth = -h;
#if MIXED
    depth += u_deep;
#endif
    float silt = ramp(0.53, 1.0, cover.a) * (1.0 - fresh);
#if LAKES
    silt *= 1.0 - of_lake();
#endif
    vec3 wet = water(up, view, depth / u_relief_m, away, broad, mild, speck, share.x, silt);
#if TILES && !SEA
    // At the shore half of what the cover says is of land.
    float waves = mix(1.0, min(2.0 * cover.g, 1.0), u_covered.x) * (1.0 - fresh);
    float white_water = foam(-h, length(lean), waves, speck, away) * detailed;
    wet = mix(wet, vec3(0.75) * (sunlight * (share.x * max(dot(up, u_sun), 0.0)) + v_skylight * 1.5) / PI, white_water);
#endif
#if SPHERICAL
    float ice = smoothstep(0.0, 2.0, -11.0 - warmth_at(place, 0.0) + 14.0 * (broad.x - 0.5) + 5.0 * (grain.x - 0.5));
    vec3 white = u_palette[7] * 0.92 * (sunlight * (share.x * max(dot(up, u_sun), 0.0)) + v_skylight * 1.4) / PI;
    wet = mix(wet, white, ice * (1.0 - fresh));
#endif
    // A lake freezes sooner than the sea, and its ice is darker where the wind has swept it.
#if LAKES
    float still = max(fresh, of_lake()), level_m = inland;
#else
    float still = fresh, level_m = max(lake, 0.0);
#endif
    float frozen = still * smoothstep(0.35, 0.65, (-3.0 - warmth_at(place, level_m / u_relief_m)) / 4.0 + 0.8 * (grain.x - 0.5));
    vec3 swept = mix(vec3(0.42, 0.55, 0.62), u_palette[7] * 0.86, smoothstep(0.40, 0.60, mild.x + 0.4 * (broad.y - 0.5) + 0.5 * (speck.y - 0.5)));
    wet = mix(wet, swept * ground_light(up, up, up, vec2(share.x, 1.0), sunlight, v_skylight, 0.0) / PI, frozen);
#endif
    // Bare rock is rougher than vegetation and snow.
    float raised_ = SPHERICAL == 1 ? 1.1 : 0.5 + 1.1 * bare;
#if TILES
    raised_ = mix(raised_, (TILTED.x + TILTED.y * bare) * mix(1.0, broken, 0.5), detailed);
#endif
    vec3 bumped = normalize(n + bump * raised_);
#if TILES
    // The sides of trees face the eye and see half of the sky.
    bumped = normalize(bumped + (view - up * dot(view, up)) * (0.5 * seen.side * detailed));
    share.y *= 1.0 - 0.15 * seen.side * detailed;
#if FINE
    vec3 sunward = (u_sun - up * dot(u_sun, up)) * (tree_m / max(dot(u_sun, up), LOWEST_SUN));
    share.x *= mix(1.0, sun_let_through(seen, coarse, sunward), detailed * told_apart(high));
#endif
#endif
#if SPHERICAL
    vec3 arriving = ground_light(bumped, n, up, share, sunlight, v_skylight, afar);
#else
    vec3 arriving = ground_light(bumped, n, up, share, sunlight, v_skylight, 0.0);
#endif
    vec3 dry = albedo * arriving / PI;
#if DRY
    vec3 colour = dry;
#elif SEA
    // What serves the land alone above is left out by the compiler.
    vec3 colour = wet;
#elif MIXED && !FADE
    vec3 colour = mix(wet, dry, smoothstep(-u_soft, u_soft, h));
#else
    // A pixel holds both where the shore crosses it. Steep ground far above the water would be taken for a shore.
    float shore_m = lake > 0.0 ? above : h;
#if TILES
    float widest = TILED_SHORE * away + 0.1;
#else
    float widest = WIDEST_SHORE * u_relief_m;
#endif
    float ashore = clamp(0.5 + shore_m / clamp(fwidth(shore_m), 1e-3, widest), 0.0, 1.0);
    vec3 colour = mix(wet, dry, ashore);
#endif
#if CLOUDS && !BELOW
#if FINE
    const float v_shadow = 0.0;
#endif
    colour = clouded(colour, up, -view, away, sunlight, cover.r, v_shadow);
#endif
    o_colour = vec4(colour * v_clear + v_haze, 1.0);
#endif
#endif
#if LEVELS
    o_colour = vec4(level_colour() * (u_unlit == 1 ? 1.0 : 0.3 + 0.7 * max(dot(n, u_sun), 0.0)), 1.0);
#endif
#if RHOMBI
    o_colour.rgb = mix(o_colour.rgb, vec3(1.0, 0.85, 0.55), 0.5 * outlines());
#endif
}
