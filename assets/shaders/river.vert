// A strip of water along a river's course. From near it lies in the river's bed, from afar on the ground as it is drawn there.
#include "scatter.glsl"
#include "horizon.glsl"

layout(location = 0) in vec3 a_place;   // unit on spheres, else in extents
layout(location = 1) in vec4 a_along;   // unit, downstream; the face, from 1, by FACES, below 0 on side -1
layout(location = 2) in vec2 a_at;      // u, v among the samples
layout(location = 3) in vec3 a_water;   // level and ground in metres above the sea; way from the source in half widths
// Half width in metres; half the width by the radius of the bend, above 0 with its inside on side 1; fall by length; how far it
// braids.
layout(location = 4) in vec4 a_form;
layout(location = 5) in vec4 a_kind;    // opacity, u_reached when it is there, how far frozen, how white a fall has left it

uniform sampler2DArray u_heights_a;
uniform sampler2DArray u_heights_b;
uniform sampler2DArray u_light_a;
uniform sampler2DArray u_light_b;
#if CLOUDS
uniform sampler2DArray u_cover_a;
#endif
#if !SPHERICAL
uniform sampler2D u_clouds;
const float CLOUD_HEIGHT = 6500.0, CLOUD_TILE = 52000.0;
#endif

// Pixels from the middle, below 0 on side -1; half width in pixels, banks included; opacity; half width without banks in pixels.
// What is told by the side alone would have teeth where the width changes: it is no plane over a stretch of the strip.
out vec4 v_line;
out vec4 v_kind;        // how far frozen, fall by length, how strongly it bends, how white it is
out vec3 v_braid;       // how far it braids; way from the source in half widths; how much grows on its banks, 0..1
out vec3 v_along;
out vec3 v_relative;
out vec3 v_up;
out vec3 v_sunlight;
out vec3 v_skylight;
out vec3 v_haze;
out vec3 v_clear;
#if CLOUDS
out float v_moist;      // moisture of the ground, by which the clouds above are thicker, as in cover.glsl
#endif

// As those of map_lines.vert: shares of the distance by which rivers are pulled towards the eye and lifted, because coarse
// triangles rise above the true ground. Where a river lies in its bed, less is needed.
const float PULL = 0.006, LIFT = 0.002, NEAR_PULL = 0.003, NEAR_LIFT = 0.0012;
// The least half width in pixels, the least that is seen, and the power of the width that opacity follows below the least. On
// the finished ground brooks fade out before they are as thin as a line; while it is carved all that gathers is seen.
const float LEAST = 0.7, FAINT = 0.03, BROOK = 0.07, FADING = 0.45;
// The least share of its width by which a river is seen: by less, of a winding river the bends across the line of sight would
// vanish and leave dots.
const float ASLANT = 0.35;
// How much of a fall is not seen from afar.
const float AFAR = 0.6;
// Room beside the water for its ragged edge and what grows there: half widths of the water.
const float BANKS = 2.9;
// Nothing grows on banks of water so low above the sea, and all does on those of higher water, metres.
const float BARE_M = 2.0, GROWN_M = 10.0;
// How far towards the middle of a bend a strip reaches, in radii.
const float INSIDE = 0.9;
const int GUTTER = 2;
// As in demo/geometry/strip_parts.py.
const float FACES = 8.0;

float bilinear(sampler2DArray heights, ivec2 base, vec2 f, int face) {
    float a = texelFetch(heights, ivec3(base, face), 0).r;
    float b = texelFetch(heights, ivec3(base + ivec2(1, 0), face), 0).r;
    float c = texelFetch(heights, ivec3(base + ivec2(0, 1), face), 0).r;
    float d = texelFetch(heights, ivec3(base + ivec2(1, 1), face), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// The ground of the samples of a face, metres above the sea.
float sampled(int face) {
    vec2 p = clamp(a_at, 0.0, 1.0) * (u_samples - 1.0);
    vec2 whole = min(floor(p), vec2(u_samples - 2.0));
    ivec2 base = ivec2(whole) + GUTTER;
    return mix(bilinear(u_heights_a, base, p - whole, face), bilinear(u_heights_b, base, p - whole, face), u_mix) - u_sunk;
}

vec3 lifted(float height) {
#if SPHERICAL
    return a_place * (u_size + height) - u_world_eye;
#else
    return vec3(a_place.x * u_size, height, a_place.z * u_size) - u_world_eye;
#endif
}

void main() {
#if SPHERICAL
    vec3 up = a_place;
#else
    vec3 up = vec3(0.0, 1.0, 0.0);
#endif
    float across = a_along.w < 0.0 ? -1.0 : 1.0, face = floor(abs(a_along.w) * FACES - 0.5);
    vec3 along = normalize(a_along.xyz);
    float ground = max(sampled(int(face)), 0.0);
    float away = length(lifted(ground)), pixel = away * u_pixel;
    float pixels = a_form.x / pixel;
    // In its bed where the bed is some pixels wide.
    float bedded = u_fine_ground * smoothstep(1.0, 3.5, pixels);
    float height = mix(mix(ground, a_water.y, u_fine_ground), a_water.x, bedded) + mix(LIFT, NEAR_LIFT, bedded) * away;
    vec3 at = lifted(height);
    vec3 ray = at / away;

    float least = LEAST * u_bold, banks = mix(1.0, BANKS, smoothstep(0.8, 2.5, pixels));
    float wide = max(pixels, least), half_ = wide * banks + 0.5;
    vec3 side = normalize(cross(up, along));
    // At a grazing angle a strip would vanish: its least width is measured across the line of sight.
    vec3 facing = cross(ray, along);
    facing *= sign(dot(facing, side)) / max(length(facing), 1e-3);
    float flat_ = dot(side, facing), seen = pixels * max(flat_, ASLANT);
    if (half_ * flat_ < least + 0.5) {
        side = facing;
        half_ = least + 0.5;
        wide = least;
        banks = 1.0;
    }
    // At the inside of a bend a strip ends where the bend has its middle, or it would be folded over itself.
    float inner = a_form.y * across > 0.0 ? min(1.0, INSIDE * pixels / max(abs(a_form.y) * half_, 1e-6)) : 1.0;
    v_relative = at + side * (half_ * pixel * across * inner);
    float thin = min(seen / least, 1.0), faint = mix(FAINT, BROOK, u_fine_ground);
    float reached = smoothstep(0.0, 0.12, u_reached - a_kind.y);
    // A fall is the brightest part of its river, and would stand on a far slope as a white line alone.
    float fall = 1.0 - AFAR * a_kind.w * (1.0 - smoothstep(0.8, 3.0, pixels));
    // What runs in a gorge is hidden from a little way off, where the gorge itself is too narrow to be drawn.
    float hidden = 0.9 * u_fine_ground * (1.0 - bedded) * smoothstep(30.0, 85.0, a_water.y - a_water.x) * smoothstep(0.15, 0.5, pixels);
    v_line = vec4(across * inner * half_, half_, a_kind.x * fall * (1.0 - hidden) * reached * u_shown * pow(thin, FADING) * smoothstep(faint, 5.0 * faint, seen), wide);
    v_kind = vec4(a_kind.z, a_form.zy, a_kind.w);
    // A mouth's banks would lie on the sea.
    v_braid = vec3(a_form.w, a_water.z, smoothstep(BARE_M, GROWN_M, a_water.x));
    v_along = along;
    v_up = up;
    gl_Position = u_view_projection * vec4(v_relative * (1.0 - mix(PULL, NEAR_PULL, bedded)), 1.0);

    vec3 from_centre = u_eye + v_relative;
    float r = length(from_centre);
    float cosine = dot(from_centre, u_sun) / r;
    vec3 texture_at = vec3((a_at * (u_samples - 1.0) + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), face);
    vec2 share = mix(lit(textureLod(u_light_a, texture_at, 0.0), cosine), lit(textureLod(u_light_b, texture_at, 0.0), cosine), u_mix);
    share = mix(vec2(1.0), share, u_shaded);
    v_sunlight = u_sun_colour * sun_transmittance(r - u_air.x, cosine) * share.x;
    v_skylight = sky_lamp(cosine) * mix(0.5, 1.0, share.y);
#if !SPHERICAL
    vec2 above = u_cloudy.yz + (v_relative.xz + u_sun.xz * ((CLOUD_HEIGHT - height) / max(u_sun.y, 0.08))) / CLOUD_TILE;
    vec2 rim = 0.5 - abs(a_at - 0.5);
    float shaded = smoothstep(0.50, 0.80, 0.80 * textureLod(u_clouds, above, 0.0).r + 0.12) * smoothstep(0.0, 0.10, min(rim.x, rim.y));
    v_sunlight *= 1.0 - 0.60 * smoothstep(0.02, 0.22, u_sun.y) * u_cloudy.x * shaded;
#endif
#if CLOUDS
    vec3 covered_at = vec3(texture_at.xy * u_cover_grid.x + u_cover_grid.y, face);
    v_moist = mix(0.5, textureLod(u_cover_a, covered_at, 0.0).r, u_covered.x);
#endif
    vec2 span = air_span(ray);
    span.y = min(span.y, away);
    v_haze = vec3(0.0);
    v_clear = vec3(1.0);
    if (span.y > span.x)
        haze(ray, span.x, span.y, u_eye_radius.x - u_air.x, r - u_air.x, v_haze, v_clear);
}
