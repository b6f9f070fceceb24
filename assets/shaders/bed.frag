// The bed and the banks of a stretch of a river, in metres above the sea: what lies higher is lowered to it. As in tile.frag, r is
// for the tile's own level and g for the next coarser one; each follows from its own size of texels, so tiles fit together.
#include "atlas.glsl"
#include "tile.glsl"

flat in vec4 v_patch;
flat in vec4 v_place;
flat in vec3 v_direction;
flat in vec4 v_begin;
flat in vec4 v_end;
flat in vec4 v_depths;
flat in vec4 v_reach;
flat in vec3 v_bank;

layout(location = 0) out vec4 o_colour;
layout(location = 1) out vec4 o_ridge;

const float NOT_CUT = 1e9;
// Half widths in texels between which beds come in, as in geometry/river_beds.py.
const float SEEN_FROM = 0.35, SEEN_TO = 1.0;
// To the sides the head of a cut lies downstream by this share of how far away it is, as in geometry/bed_heads.py.
const float NOTCH = 0.5;
// Slope of the banks beside the water, and how many times steeper they are where they end: most ground is met long before.
const float FLOOR = 0.05, STEEPER = 1.25;

// The walls of valleys recede and come forward over 2 pi times these metres, and over shorter ways; by how much of their slope.
const float SPURS_M = 130.0, SPURS = 0.45;

// Spurs and gullies of a valley's walls, -1..1. Tiles agree on a place to some centimetres.
float spurs(vec3 offset) {
    vec3 middle = ATLAS == ATLAS_PLANE ? vec3(v_patch.y, 0.0, v_patch.z) : v_direction;
    vec3 p = (middle + offset) * (u_size / SPURS_M);
    vec3 wide = sin(p + 1.7 * sin(0.71 * p.yzx)), narrow = sin(2.3 * p.zxy + 1.3 * wide), fine = sin(5.1 * p.yzx + 1.3 * narrow);
    return clamp(dot(vec3(0.36), wide) + dot(vec3(0.24), narrow) + dot(vec3(0.08), fine), -1.0, 1.0);
}

// How much higher than the bed ground is cut where half the river's width is so many texels.
float spared(float texels, float gap) {
    float there = smoothstep(SEEN_FROM, SEEN_TO, texels);
    return there < 0.01 ? NOT_CUT : gap * (1.0 - there) / there;
}

void main() {
    vec2 texel = floor(gl_FragCoord.xy) - v_place.xy - 1.0;
    vec2 duv = (texel / float(TEXELS) - 0.5) * v_patch.w;
    vec3 offset = atlas_offset(ATLAS, int(v_patch.x), v_patch.yz, duv);
    vec3 at = offset * u_size - v_begin.xyz, way = v_end.xyz - v_begin.xyz;
    float long_ = max(length(way), 1e-3), along = dot(at, way) / (long_ * long_);
    // Upstream of where it begins the cut rises, or the lip of a fall would be cut from below.
    float behind = v_bank.z * max(NOTCH * max(length(at - along * way) - v_begin.w, 0.0) - along * long_, 0.0);
    along = clamp(along, 0.0, 1.0);
    float away = length(at - along * way), half_ = mix(v_begin.w, v_end.w, along), reach = mix(v_reach.x, v_reach.y, along);
    float beside = away - half_;
    // No ground stands so much higher.
    if (max(beside, 0.5 * behind) > reach)
        discard;
    float level = mix(v_depths.x, v_depths.y, along), depth = mix(v_depths.z, v_depths.w, along), in_bed = away / half_;
    float cut = level - depth * (1.0 - in_bed * in_bed);
    if (beside > 0.0) {
        float part = beside / reach;
        float wide = beside / (beside + 2.0 * half_ + 4.0);
        float bank = mix(v_bank.x, v_bank.y, along);
        bank *= 1.0 + SPURS * spurs(offset);
        cut = level + beside * (mix(FLOOR, bank, wide) + STEEPER * bank * part * part);
    }
    vec2 more = vec2(spared(half_ / v_reach.z, reach), spared(half_ / v_reach.w, reach));
    if (v_place.w > 0.5)
        more.y = NOT_CUT;
    o_colour = vec4(cut + behind + more, 0.0, 1.0);
    // The lower value stays: ridges and hollows are left as they are.
    o_ridge = vec4(1.0);
}
