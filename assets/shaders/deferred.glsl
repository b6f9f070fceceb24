// Deferred shading: a pixel finds its place on the ground in the picture that geometry.frag drew, and works out what vertices hand
// over otherwise. A software renderer shades eight pixels for each triangle that meets one of them, and triangles are small.
in vec3 v_ray;
uniform sampler2D u_geometry;
uniform sampler2D u_tile_places;    // two texels for each slot: face, anchor u and v, size of its patch; direction of the anchor
#if CLOUDS
#include "clouds.glsl"
#endif
#include "heights.glsl"
#include "surface_light.glsl"

// The ways on the ground to the next pixels, in metres, and the way in the picture of tiles to the one above.
vec3 ground_beside_it, ground_above_it;
vec2 tile_above_it;
// Texels along the edge of a slot that are no cells of its tile, as demo/render/tiles.py has them.
const float TILE_RIM = 3.0;

vec3 shorter(vec3 a, vec3 b) { return dot(a, a) < dot(b, b) ? a : b; }
vec2 shorter(vec2 a, vec2 b) { return dot(a, a) < dot(b, b) ? a : b; }

// What is stored of a pixel; beyond the picture's edges there is nothing.
vec4 stored(ivec2 at) {
    bvec4 outside = bvec4(lessThan(at, ivec2(0)), greaterThan(at, ivec2(u_last_pixel)));
    return any(outside) ? vec4(0.0) : texelFetch(u_geometry, at, 0);
}

void find_place() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 here = texelFetch(u_geometry, at, 0);
    v_tile = here.xy;
    v_morph = here.w;
    v_relative = v_ray * here.z;

    // Of the neighbours on either side the nearer one lies on the same slope, where another one is behind its crest. One of them
    // is worked out beside this pixel, and the other one looked up.
    ivec2 other = 2 * (at & 1) - 1;
    vec4 beside = stored(at + ivec2(other.x, 0)), above = stored(at + ivec2(0, other.y));
    vec2 sides = vec2(other);
    vec3 there = (v_ray + sides.x * dFdx(v_ray)) * beside.z, over = (v_ray + sides.y * dFdy(v_ray)) * above.z;
    ground_beside_it = shorter(dFdx(v_relative), sides.x * (there - v_relative));
    ground_above_it = shorter(dFdy(v_relative), sides.y * (over - v_relative));
    tile_above_it = shorter(dFdy(v_tile), sides.y * (above.xy - v_tile));

    vec2 side = vec2(u_tile_texels + TILE_RIM), texel = v_tile * u_tile_edge, slot = floor(texel / side), first = slot * side;
    v_box = vec4((first + 0.5) / u_tile_edge, (first + 2.5 + u_tile_texels) / u_tile_edge);
    vec4 patch_ = texelFetch(u_tile_places, ivec2(2.0 * slot.x, slot.y), 0);
    v_direction = texelFetch(u_tile_places, ivec2(2.0 * slot.x + 1.0, slot.y), 0).xyz;
    vec2 uv = patch_.yz + ((texel - first - 1.5) / u_tile_texels - 0.5) * patch_.w;
    int face = int(patch_.x + 0.5);
    v_texture = vec3((uv * (u_samples - 1.0) + GUTTER + 0.5) / (u_samples + 2.0 * GUTTER), float(face));
    v_up = SPHERICAL == 1 ? normalize(u_eye + v_relative) : vec3(0.0, 1.0, 0.0);

    vec2 heights = textureLod(u_tile_heights, v_tile, 0.0).rg;
    float height = mix(heights.x, heights.y, v_morph);
#if FADE || LAKES
    vec2 sampled = heights_at(uv, face);
#endif
#if FADE
    height = sampled.x + (height - sampled.y) * u_detail;
#endif
#if LAKES
    float standing = textureLod(u_shade_a, v_texture, 0.0).w;
#if MIXED
    standing = mix(standing, textureLod(u_shade_b, v_texture, 0.0).w, u_mix);
#endif
    v_inland = vec2(min(height, sampled.x), abs(sampled.x - standing * u_height_scale));
#endif
#if !SPHERICAL && LOOK != 1
    height -= rim_drop(uv);
#endif
    v_height = max(height, 0.0);
    light_and_air(uv, v_height);
}
