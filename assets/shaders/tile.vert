// One square in the picture of all tiles for each new tile.
#include "atlas.glsl"

layout(location = 0) in vec2 a_corner;   // 0..1
layout(location = 1) in vec4 a_patch;    // face, middle u, middle v, size in u and v
layout(location = 2) in vec4 a_part;     // fraction of the middle in wavelengths of the first octave; octaves
layout(location = 3) in vec3 a_whole;    // and its integer part
layout(location = 4) in vec4 a_place;    // first texel of the tile, texels a side, 1 if the coarser level has no detail
layout(location = 5) in vec3 a_direction;
layout(location = 6) in vec3 a_near;     // the middle modulo NEAR_METRES, in periods of it

flat out vec4 v_patch;
flat out vec4 v_part;
flat out vec3 v_whole;
flat out vec4 v_place;
flat out vec3 v_direction;
flat out vec3 v_near;

void main() {
    v_patch = a_patch;
    v_part = a_part;
    v_whole = a_whole;
    v_place = a_place;
    v_direction = a_direction;
    v_near = a_near;
    gl_Position = vec4((a_place.xy + a_corner * a_place.z) / u_side * 2.0 - 1.0, 0.0, 1.0);
}
