// Writes the positions of a grid of (u, v) into a float picture, for the test that holds atlas.glsl against atlas.py.
// The block PLACE is in that test.
#include "atlas.glsl"
noperspective in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

void main() {
    if (u_kind == 0)
        o_colour = vec4(atlas_place(u_atlas, u_face, v_uv, u_height), 1.0);
    else
        o_colour = vec4(atlas_offset(u_atlas, u_face, u_anchor, (v_uv - 0.5) * u_span), 1.0);
}
