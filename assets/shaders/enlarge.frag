// Fills a canvas with a smaller picture, blended between its pixels.
noperspective in vec2 v_uv;
uniform sampler2D u_small;
layout(location = 0) out vec4 o_colour;

void main() { o_colour = textureLod(u_small, v_uv, 0.0); }
