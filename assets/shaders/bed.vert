// One box in the picture of all tiles for each stretch of a river in a new tile.
#include "atlas.glsl"

layout(location = 0) in vec2 a_corner;   // 0..1
layout(location = 1) in vec4 a_patch;    // as in tile.vert
layout(location = 2) in vec4 a_place;
layout(location = 3) in vec3 a_direction;
layout(location = 4) in vec4 a_box;      // texels in the picture: from, to
layout(location = 5) in vec4 a_begin;    // metres from the tile's middle; half the width
layout(location = 6) in vec4 a_end;
layout(location = 7) in vec4 a_depths;   // levels at both ends, depths at both
layout(location = 8) in vec4 a_reach;    // of the banks at both ends; metres of a texel of the tile and of the next coarser one
layout(location = 9) in vec3 a_bank;     // slopes of the banks at both ends, and of the cut upstream of the bed

flat out vec4 v_patch;
flat out vec4 v_place;
flat out vec3 v_direction;
flat out vec4 v_begin;
flat out vec4 v_end;
flat out vec4 v_depths;
flat out vec4 v_reach;
flat out vec3 v_bank;

void main() {
    v_patch = a_patch;
    v_place = a_place;
    v_direction = a_direction;
    v_begin = a_begin;
    v_end = a_end;
    v_depths = a_depths;
    v_reach = a_reach;
    v_bank = a_bank;
    gl_Position = vec4(mix(a_box.xy, a_box.zw, a_corner) / u_side * 2.0 - 1.0, 0.0, 1.0);
}
