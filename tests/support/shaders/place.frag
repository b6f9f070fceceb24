// Writes the positions of a grid of (u, v) into a float picture, for the test that holds atlas.glsl against atlas.py.
#include "atlas.glsl"
in vec2 v_uv;
uniform int u_atlas;
uniform int u_face;
uniform int u_kind;      // 0: place, 1: offset from the anchor
uniform float u_height;
uniform vec2 u_anchor;
uniform float u_span;
layout(location = 0) out vec4 o_colour;

void main() {
    if (u_kind == 0)
        o_colour = vec4(atlas_place(u_atlas, u_face, v_uv, u_height), 1.0);
    else
        o_colour = vec4(atlas_offset(u_atlas, u_face, u_anchor, (v_uv - 0.5) * u_span), 1.0);
}
