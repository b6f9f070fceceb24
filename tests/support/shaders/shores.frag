// How far the drawn ground of a map is above the water at each of the places in a texture.
uniform sampler2D u_places;         // xyz: metres from the eye
uniform sampler2D u_at;             // xyz: texture coordinates among the samples, and the face
uniform sampler2DArray u_shade;
uniform sampler3D u_noise;
layout(location = 0) out vec4 o_colour;

#include "shore.glsl"

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec3 beside = ragged_shore(u_shade, texelFetch(u_places, pixel, 0).xyz);
    o_colour = vec4(standing_above(u_shade, texelFetch(u_at, pixel, 0).xyz, beside, 1.0), 0.0, 0.0, 1.0);
}
