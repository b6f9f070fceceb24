// Places one vertex of a patch on its atlas, morphs it between levels of detail, and lights it.
// ATLAS: the code of the atlas, fixed at compile time because a software renderer would evaluate the formulas of every atlas.
#include "atlas.glsl"
#include "scatter.glsl"
layout(location = 0) in vec2 a_cell;      // column, row in 0..patch
layout(location = 1) in vec4 a_patch;     // face, anchor u, anchor v, size in u and v
layout(location = 2) in vec4 a_anchor;    // anchor - eye (computed in float64) and distance at which morphing ends, in metres
layout(location = 3) in vec3 a_direction; // the anchor's unit direction on spheres

#if TILES
layout(location = 4) in vec2 a_tile;      // first texel of the patch's tile
uniform sampler2D u_tile_heights;
uniform sampler3D u_noise;
#endif

const int GUTTER = 2;

#define HANDED out
#include "surface_varyings.glsl"
#include "heights.glsl"
#if GROUPED
uniform sampler2DArray u_coarse_a;    // coarser levels below one another, metres; 0 below the sea
#if MIXED
uniform sampler2DArray u_coarse_b;
#endif
#endif
#if !SPHERICAL
#include "rim.glsl"
#endif
#if SHEET
#include "sheet.glsl"
#endif
#if LAKES
uniform sampler2DArray u_shade_a;
#if MIXED
uniform sampler2DArray u_shade_b;
#endif
#endif
#if CLOUDS && !FINE
#include "clouds.glsl"
#endif
#if TILES
#include "cover.glsl"
#endif
#if !DRY
#include "lakes.glsl"
#endif
#if !DEFERRED
#include "surface_light.glsl"
#endif

#if GROUPED
// The height above the sea on a level so many steps coarser than the finest one, whose vertices have the samples' heights.
float height_on(vec2 uv, int face, int level) {
    if (level < 1)
        return max(height_at(uv, face), 0.0);
    int finest = 2 * (textureSize(u_coarse_a, 0).x - 1);
    level = min(level, int(log2(float(finest)) + 0.5));
    int cells = finest >> level;
    vec2 p = clamp(uv, 0.0, 1.0) * float(cells), whole = min(floor(p), vec2(float(cells - 1)));
    ivec2 base = ivec2(whole) + ivec2(0, finest - (finest >> (level - 1)) + level - 1);
    float b = 0.0;
#if MIXED
    b = bilinear(u_coarse_b, base, p - whole, face);
#endif
    return max(drawn(bilinear(u_coarse_a, base, p - whole, face), b), 0.0);
}

// The height on the patch's own level, on its way to the next coarser one.
float group_height(vec2 uv, int face, float morph) {
    float cells = float(2 * (textureSize(u_coarse_a, 0).x - 1)) * a_patch.w / u_patch;
    int level = int(floor(log2(cells) + 0.5));
    return mix(height_on(uv, face, level), height_on(uv, face, level + 1), morph);
}
#endif

#if ISOSCELES
// The point of the next coarser patch to which a point of this patch morphs. Coarser rows are two cells apart, and every other
// row is shifted by one cell. Points on the rim move as in a grid of squares.
vec2 coarser(vec2 cell) {
    vec2 inward = sign(0.5 * u_patch - cell);
    float y = cell.y + inward.y * fract(cell.y * 0.5) * 2.0;
    if (cell.x == 0.0 || cell.x == u_patch)
        return vec2(cell.x, y);
    float shifted = mod(y * 0.5, 2.0);
    if (fract(cell.x) > 0.25)
        return vec2(floor(cell.x) + abs(mod(floor(cell.x), 2.0) - shifted), y);
    return vec2(cell.x + (inward.x < 0.0 ? -1.0 : 1.0) * abs(mod(cell.x, 2.0) - shifted), y);
}
#endif

void main() {
    int face = int(a_patch.x + 0.5);
    vec2 duv = (a_cell / u_patch - 0.5) * a_patch.w;
    float away = length(a_anchor.xyz + atlas_offset(ATLAS, face, a_patch.yz, duv) * u_size - u_drop);
#if !TILES
    float morph = clamp((away / a_anchor.w - 0.80) / 0.20, 0.0, 1.0);
#else
    float morph = clamp((away / a_anchor.w - 0.90) / 0.10, 0.0, 1.0);
#endif
#if ISOSCELES
    vec2 cell = mix(a_cell, coarser(a_cell), morph);
#else
    // Morphs towards the middle: the same from both ends of an edge, along which two cube faces may run in opposite senses.
    vec2 cell = a_cell + sign(0.5 * u_patch - a_cell) * fract(a_cell * 0.5) * 2.0 * morph;
#endif
    duv = (cell / u_patch - 0.5) * a_patch.w;
#if LEVELS
    v_level = vec2(-log2(a_patch.w), morph);
#endif

    vec3 offset = atlas_offset(ATLAS, face, a_patch.yz, duv);
    vec2 uv = a_patch.yz + duv;
    v_texture = vec3((uv * (u_samples - 1.0) + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), float(face));
#if TILES
    v_tile = (a_tile + 1.5 + cell / u_patch * u_tile_texels) / u_tile_edge;
    v_box = vec4((a_tile + 0.5) / u_tile_edge, (a_tile + 2.5 + u_tile_texels) / u_tile_edge);
    v_morph = morph;
    v_direction = a_direction;
    vec2 heights = textureLod(u_tile_heights, v_tile, 0.0).rg;
    float height = mix(heights.x, heights.y, morph);
#if FADE
    vec2 sampled_ = heights_at(uv, face);
    height = sampled_.x + (height - sampled_.y) * u_detail;
#endif
#else
    float height = height_at(uv, face);
#endif
#if LAKES
    float standing = textureLod(u_shade_a, v_texture, 0.0).w;
#if MIXED
    standing = mix(standing, textureLod(u_shade_b, v_texture, 0.0).w, u_mix);
#endif
    // The samples' water level differs from the sea's only at lakes and their shores.
#if TILES
    float sampled = height_at(uv, face);
#else
    float sampled = height;
#endif
    // At the sea's coast the fine ground may rise above it where the samples do not, and the other way round.
    v_inland = vec2(min(height, sampled), abs(sampled - standing * u_height_scale));
#endif
#if !SPHERICAL && LOOK != 1
    height -= rim_drop(uv);
#endif
    height = max(height, 0.0);
#if TILES || DRY
    v_height = height;
#endif
#if GROUPED && TILES
    // A tile's own forms stay; what its samples lose or gain in their group is added.
    height = max(height + group_height(uv, face, morph) - max(height_at(uv, face), 0.0), 0.0);
#elif GROUPED
    height = group_height(uv, face, morph);
#endif
#if !DRY
    height = max(height, lake_level(v_texture));
#endif
    v_up = ATLAS == ATLAS_PLANE ? vec3(0.0, 1.0, 0.0) : normalize(a_direction + offset);
    v_relative = a_anchor.xyz + offset * u_size + v_up * height;
#if CONE
    vec3 form = double_cone_place(face, uv);
    vec3 cone = form * (u_size + height) - u_eye;
    // The tips point along the axis.
    vec3 slope_up = normalize(vec3(form.x, max(length(form.xz), 1e-6) * 0.8255 * sign(form.y), form.z));
    vec3 formed = normalize(mix(slope_up, v_up, u_swell));
    v_relative = mix(cone, v_relative, u_swell);
    v_lean = formed - v_up;
    v_up = formed;
#endif
#if SHEET
    v_place = v_up;
    Sheet sheet = unrolled(atlas_angles(ATLAS, face, uv), float(face), height);
    v_relative = sheet.at;
    v_up = sheet.up;
    v_east = sheet.east;
    v_north = sheet.north;
#endif
    gl_Position = u_view_projection * vec4(v_relative, 1.0);
#if !DEFERRED
    light_and_air(uv, height);
#endif
}
