// What stands on a level field, seen from so far above that a tree is u_high pixels high, for test_standing.py.
#define FINE 1
layout(location = 0) out vec4 o_colour;

const float METRES_A_PIXEL = 2.0;
vec2 v_tile;
vec4 v_box = vec4(0.0, 0.0, 1.0, 1.0);
float v_morph = 0.0;
vec3 v_relative;

#include "tile.glsl"
float detailed = 1.0;
#include "patches.glsl"
#include "standing.glsl"

void main() {
    v_tile = gl_FragCoord.xy / u_side;
    v_relative = vec3(gl_FragCoord.x, 0.0, -gl_FragCoord.y) * METRES_A_PIXEL;
    Standing seen = seen_first(0.0, u_high);
    o_colour = vec4(seen.here.x, seen.side, sun_let_through(seen, 0.0, vec3(u_sunward, 0.0, 0.0)), seen.layer);
}
