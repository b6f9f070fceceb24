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
out vec2 v_tile;
flat out vec4 v_box;                // the tile's first and last texels, as v_tile
out float v_morph;
flat out vec3 v_direction;     // of the patch's anchor: the frame of the tile's slopes
out vec4 v_broad;              // noise coarser than any triangle with a tile
out vec4 v_cover;              // as coarse: see cover.glsl
uniform sampler3D u_noise;
#endif

uniform sampler2DArray u_heights_a;
#if GROUPED
uniform sampler2DArray u_coarse_a;    // coarser levels below one another, metres; 0 below the sea
#if MIXED
uniform sampler2DArray u_coarse_b;
#endif
#endif
#if !SPHERICAL
#include "rim.glsl"
uniform sampler2D u_clouds;
const float CLOUD_HEIGHT = 6500.0, CLOUD_TILE = 52000.0;
#endif
#if CONE
out vec3 v_lean;               // added to a normal of the sphere, gives the normal of the current form
#endif
#if SHEET
#include "sheet.glsl"
out vec3 v_place;              // direction on the sphere
out vec3 v_east;               // east on the sheet, unit; v_north likewise
out vec3 v_north;
#endif
#if MIXED
uniform sampler2DArray u_heights_b;
#endif

#if TILES || DRY
out float v_height;
#endif
#if LAKES
out vec2 v_inland;             // metres: ground or bed above the sea; difference of the water level from the sea's
uniform sampler2DArray u_shade_a;
#if MIXED
uniform sampler2DArray u_shade_b;
#endif
#endif
#if LEVELS
out vec2 v_level;              // level of detail (0: a whole face); morph towards the next coarser level, 0..1
#endif
out vec3 v_relative;           // metres from the eye
out vec3 v_up;
out vec3 v_texture;
out vec3 v_sunlight;
out vec3 v_skylight;
#if SPHERICAL
#include "horizon.glsl"
out vec2 v_share;              // of sunlight and skylight: see horizon.glsl
uniform sampler2DArray u_light_a;
#if MIXED
uniform sampler2DArray u_light_b;
#endif
#endif
out vec3 v_haze;
out vec3 v_clear;
#if CLOUDS && !FINE
#include "clouds.glsl"
#if !BELOW
out float v_shadow;
#endif
#endif

#if TILES
#include "cover.glsl"
#endif
#if !DRY
#include "lakes.glsl"
#endif

const int GUTTER = 2;

float bilinear(sampler2DArray heights, ivec2 base, vec2 f, int face) {
    // Weighted here: the sampler's weights have only eight bits, which makes steps where a patch is finer than the samples.
    float a = texelFetch(heights, ivec3(base, face), 0).r;
    float b = texelFetch(heights, ivec3(base + ivec2(1, 0), face), 0).r;
    float c = texelFetch(heights, ivec3(base + ivec2(0, 1), face), 0).r;
    float d = texelFetch(heights, ivec3(base + ivec2(1, 1), face), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// The height that is drawn where sets a and b have these.
float drawn(float a, float b) {
#if LOOK == 1
    a *= u_raised.x;
#endif
#if MIXED
#if LOOK == 1
    b *= u_raised.y;
#endif
    a = mix(a, b, u_mix) - u_sunk;
#endif
    return a;
}

// The height that is drawn, and the one of the last set, which tiles are made from.
vec2 heights_at(vec2 uv, int face) {
    vec2 p = clamp(uv, 0.0, 1.0) * (u_samples - 1.0);
    vec2 whole = min(floor(p), vec2(u_samples - 2.0));
    ivec2 base = ivec2(whole) + GUTTER;
    float a = bilinear(u_heights_a, base, p - whole, face), b = a;
#if MIXED
    b = bilinear(u_heights_b, base, p - whole, face);
#endif
    return vec2(drawn(a, b), b);
}

float height_at(vec2 uv, int face) { return heights_at(uv, face).x; }

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
#if TILES
    vec3 at = u_origin + v_relative / u_noise_metres;
    v_broad = 0.6 * textureLod(u_noise, at, 0.0) + 0.4 * textureLod(u_noise, at * 8.0, 0.0);
    v_cover = ground_cover(v_texture, v_up, v_broad);
#endif

#if SHEET
    vec3 from_centre = v_up * (u_size + height);
#else
    vec3 from_centre = u_eye + v_relative;
#endif
    float r = length(from_centre);
    float cosine = dot(from_centre, u_sun) / r;
    v_sunlight = u_sun_colour * sun_transmittance(r - u_air.x, cosine);
    v_skylight = sky_lamp(cosine);
#if SPHERICAL
    // By vertex: a planet's samples are farther apart than vertices near the eye are.
    v_share = lit(textureLod(u_light_a, v_texture, 0.0), cosine);
#if MIXED
    v_share = mix(v_share, lit(textureLod(u_light_b, v_texture, 0.0), cosine), u_mix);
#endif
    v_share = mix(vec2(1.0), v_share, u_shaded);
#endif

    float distance_ = length(v_relative);
    vec3 ray = v_relative / distance_;
    vec2 span = air_span(ray);
    span.y = min(span.y, distance_);
    v_haze = vec3(0.0);
    v_clear = vec3(1.0);
    if (span.y > span.x)
        haze(ray, span.x, span.y, u_eye_radius.x - u_air.x, r - u_air.x, v_haze, v_clear);
#if !SPHERICAL
    // Cloud shadows are computed per vertex, because they are softer than any triangle is large. They fade at the rim, beyond
    // which the open sea has none, and under a low sun, which shines in below the clouds.
    vec2 above = u_cloudy.yz + (v_relative.xz + u_sun.xz * ((CLOUD_HEIGHT - height) / max(u_sun.y, 0.08))) / CLOUD_TILE;
    vec2 rim = 0.5 - abs(uv - 0.5);
    float shaded = smoothstep(0.50, 0.80, 0.80 * textureLod(u_clouds, above, 0.0).r + 0.12) * smoothstep(0.0, 0.10, min(rim.x, rim.y));
    v_sunlight *= 1.0 - 0.60 * smoothstep(0.02, 0.22, u_sun.y) * u_cloudy.x * shaded;
#endif
#if CLOUDS && !FINE
    // By vertex: the clouds' shadows are softer than any triangle is large.
#if BELOW
    // Mountains rise into the layer gradually: how far behind the eye the layer is, seen from there.
    float along = dot(u_eye, ray), within = (u_eye_radius.x - u_cloud_radius) * (u_eye_radius.x + u_cloud_radius);
    float way = within / max(-along + sqrt(max(along * along - within, 0.0)), 1.0);
    v_clear *= 1.0 - SHADOW * cloud_shadow(v_up) * smoothstep(0.0, 1800.0, distance_ - way);
#else
    v_shadow = cloud_shadow(v_up);
#endif
#endif
#if CONE
    v_haze *= u_swell;
    v_clear = mix(vec3(1.0), v_clear, u_swell);
#endif
#if SHEET
    float air = clamp(5.0 * u_bend - 4.0, 0.0, 1.0);
    v_haze *= air;
    v_clear = mix(vec3(1.0), v_clear, air);
#endif
}
