// Rivers: dark water that mirrors the sky, white where it falls, ice where it is cold.
// CLOUDS: a planet's clouds may hide them. RINGS: the planet's throw their shadow. UNLIT: the look of that name.
#include "scatter.glsl"

in vec4 v_line;
in vec4 v_kind;
in vec3 v_braid;
in vec3 v_along;
in vec3 v_relative;
in vec3 v_up;
in vec3 v_sunlight;
in vec3 v_skylight;
in vec3 v_haze;
in vec3 v_clear;
#if CLOUDS
in float v_moist;
#endif

uniform sampler3D u_noise;

layout(location = 0) out vec4 o_colour;

const float PI = 3.14159265;
// Falls by length from which water is white, and all white.
const float RAPID = 0.08, FALL = 0.42;
// Falls by length from which water runs among boulders, and all does; periods of their noise in a half width.
const float STEEP_FROM = 0.06, STEEP_TO = 0.22, BOULDERS = 0.019;

// How much of the ground beside the water is covered by what grows there.
const float GALLERY = 0.72;
// Periods of the noise that tells pools from riffles, in a half width.
const float REACH = 0.012;
// How strongly a river bends, half widths by the radius, where bars begin at the inside and where they are widest.
const float BAR_FROM = 0.04, BAR_TO = 0.22;

// Threads of a braided river: their swing to either side in half widths of the gravel, how often they turn in one, and how wide
// they are.
const vec4 SWING = vec4(0.46, -0.52, 0.60, 0.34), TURNS = vec4(0.31, 0.43, 0.57, 0.76), THREADS = vec4(0.20, 0.13, 0.10, 0.08);

#include "sea.glsl"
#include "near.glsl"

// How far inside a thread of water a place is, in half widths of the gravel. `across`: -1..1.
float threads(float across, float along) {
    vec4 phase = TURNS * along + vec4(0.4, 2.1, 4.4, 5.7);
    vec4 middle = SWING * sin(phase + 1.1 * sin(0.37 * phase.wxyz)) + 0.22 * sin(0.23 * phase.yzwx);
    vec4 wide = THREADS * (1.0 + 0.45 * sin(0.61 * phase.zwxy));
    vec4 inside = wide - abs(across - middle);
    return max(max(inside.x, inside.y), max(inside.z, inside.w));
}
#if RINGS
#include "rings.glsl"
#endif

#if CLOUDS
#include "cloud_layer.glsl"
#endif

void main() {
    float away = length(v_relative), from_middle = abs(v_line.x), side = v_line.x / v_line.y;
    vec4 speck = speckle(v_relative, footprint().x);
    // Shores are ragged from near. At the inside of a bend a bar of sand and gravel lies in the bed, and the water keeps to
    // the outside.
    float near_ = smoothstep(1.5, 5.0, v_line.w), inside = sign(v_kind.z) * side;
    // Where it braids, gravel lies bare between the threads. From afar they are one.
    float braid = smoothstep(0.15, 0.55, v_braid.x) * smoothstep(2.5, 7.0, v_line.w) * (1.0 - v_kind.x);
    float bar = smoothstep(BAR_FROM, BAR_TO, abs(v_kind.z)) * smoothstep(-0.1, 0.1, inside) * near_ * (1.0 - v_kind.x) * (1.0 - braid);
    // By some pixels alone: wide rivers would have stairs for shores.
    float ragged = min(v_line.w, 14.0) * smoothstep(2.0, 8.0, v_line.w) * (speck.w - 0.5);
    // Where it is steep, water runs among boulders, in a bed that it fills here and there alone.
    float rushing = smoothstep(STEEP_FROM, STEEP_TO, v_kind.y) * (1.0 - v_kind.x);
    vec4 stones = texture(u_noise, vec3(v_braid.y * BOULDERS, side * 0.09, 0.21));
    float narrow = mix(1.0, 0.35 + 1.1 * smoothstep(0.30, 0.70, stones.x), 0.85 * rushing * (1.0 - 0.45 * v_kind.w));
    float brink = v_line.w * narrow + mix(0.34, 0.9, rushing) * ragged + 0.5;
    float shore = mix(brink, 0.42 * v_line.w + 0.30 * ragged, bar);
    float water = clamp(shore - from_middle, 0.0, 1.0);
    water *= mix(1.0, smoothstep(0.26, 0.56, stones.y + 0.35 * (speck.y - 0.5)), 0.9 * rushing * (1.0 - v_kind.w));
    float thread = threads(v_line.x / v_line.w, v_braid.y) + 0.10 * ragged / max(v_line.w, 1.0);
    float gravel_ = braid * water * (1.0 - clamp(thread * v_line.w + 0.5, 0.0, 1.0));
    water -= gravel_;
    // A fall comes down in strands, narrower than its river and with rock between them.
    vec4 strand = texture(u_noise, vec3(side * (0.11 + 0.004 * v_line.w), 0.13 * side, 0.03 * u_time));
    float sheer = smoothstep(0.5, 0.9, v_kind.w) * smoothstep(2.0, 8.0, v_line.w) * (1.0 - v_kind.x);
    float torn = 0.62 * (v_line.w - from_middle) + (0.35 * v_line.w + 1.0) * (strand.z - 0.5 + 0.6 * (speck.y - 0.5));
    water *= mix(1.0, clamp(torn + 0.5, 0.0, 1.0) * smoothstep(0.30, 0.42, strand.w + 0.2 * (speck.x - 0.5)), sheer);
    // Woods and gravel follow the water, in patches.
    float out_ = (from_middle - brink) / max(v_line.y - 0.5 - brink, 0.5);
    float bank = (1.0 - water) * GALLERY * smoothstep(1.0, 0.1, out_ + 1.1 * (speck.z - 0.5)) * smoothstep(1.2, 3.0, v_line.w) * (1.0 - v_kind.x);
    // Nothing grows beside a river where it goes under the sea.
    bank *= smoothstep(0.45, 0.85, v_line.z) * v_braid.z;
    float sand = (1.0 - water) * smoothstep(0.02, 0.20, bar) * clamp(brink + (0.4 + 1.2 * bar) * ragged - from_middle, 0.0, 1.0);
    sand = max(sand, gravel_);
    bank = max(bank, mix(0.95, 1.0, braid) * sand);
    float cover = (water + bank) * v_line.z;
    if (cover < 0.004)
        discard;
#if UNLIT
    o_colour = vec4(u_palette[1] * 1.6, cover);
#else
    vec3 up = normalize(v_up), view = -v_relative / away;
    vec3 light = v_sunlight * max(dot(up, u_sun), 0.0) + v_skylight;
    // Fresh water is dark with dissolved matter; shallow water beside the shore shows some of its bed.
    float shallow = smoothstep(0.55, 1.05, from_middle / max(shore, 1.0) + 0.5 * (speck.x - 0.5)) * smoothstep(2.0, 6.0, v_line.w);
    vec3 body = fresh_water(u_palette[0], u_palette[1], u_palette[3]);
    // On plains it carries silt.
    body = mix(body, 0.06 * u_palette[2] + 0.40 * u_palette[1] + 0.10 * u_palette[3], 0.5 * smoothstep(0.045, 0.004, v_kind.y));
    vec3 bed = seen_through_water(u_palette[2]);
    // Pools are deep and dark; riffles and banks of silt between them are lighter.
    vec4 reach = texture(u_noise, vec3(v_braid.y, side * 0.5, 0.0) * REACH + 0.3);
    body = mix(0.75 * body, body + 0.05 * bed, smoothstep(0.38, 0.64, reach.x));
    body = mix(body, 0.6 * body + 0.09 * bed + 0.03 * u_palette[3], 0.8 * shallow);
    vec3 n = normalize(up + 0.035 * exp(-away / 5000.0) * ripples(speck));
    vec3 colour = sea_light(body, up, n, view, mix(90.0, 420.0, exp(-away / 7000.0)), v_sunlight, v_skylight);
    float white = smoothstep(RAPID, FALL, v_kind.y * (0.5 + 0.7 * speck.y + 0.7 * (reach.y - 0.3))) * (0.40 + 0.60 * smoothstep(0.40, 0.62, speck.z));
    // Falls come down in strands, and foam drifts away from their feet.
    float fallen = smoothstep(0.08, 0.80, v_kind.w + 0.9 * (speck.z - 0.5) * (1.0 - v_kind.w) + 0.5 * (strand.y - 0.5));
    white = max(0.65 * white, 0.92 * fallen);
    // A torrent that is thinner than some pixels holds its stones and the shade of its banks, too: white it would be a road.
    white *= mix(0.35, 1.0, smoothstep(0.8, 3.5, v_line.w));
    float strands = mix(1.0, 0.62 + 0.9 * (strand.x - 0.2), smoothstep(0.7, 1.0, v_kind.w));
    colour = mix(colour, vec3(0.70, 0.74, 0.77) * (strands * light / PI), white);
    float ice = smoothstep(0.35, 0.65, v_kind.x + 0.5 * (speck.x - 0.5));
    colour = mix(colour, mix(u_palette[7], vec3(0.55, 0.68, 0.75), 0.35) * light * 0.85 / PI, ice);
    // Beside the water the ground is wet and dark, then green; gravel lies in patches, and on bars.
    vec3 ground = mix(u_palette[3] * vec3(0.58, 0.66, 0.50), u_palette[2] * 0.55, smoothstep(0.56, 0.70, speck.y) * smoothstep(0.5, 0.0, out_));
    vec3 gravel = mix(u_palette[2], vec3(dot(u_palette[2], vec3(0.33))), 0.45) * (0.46 + 0.5 * speck.z + 0.45 * reach.z);
    ground = mix(ground, gravel, sand);
    ground *= mix(0.62, 1.0, smoothstep(0.0, 0.30, (from_middle - shore) / max(v_line.w, 1.0)));
    colour = mix(ground * light / PI * (0.75 + 0.5 * speck.x), colour, water / max(water + bank, 1e-4));
#if CLOUDS
    colour = clouded(colour, up, -view, away, v_sunlight, v_moist, cloud_shadow(up));
#endif
#if RINGS
    colour *= ring_shade(up, u_sun);
#endif
    o_colour = vec4(colour * v_clear + v_haze, cover);
#endif
}
