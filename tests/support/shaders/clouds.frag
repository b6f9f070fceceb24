// How much of the sky clouds hide over each of the places in a texture, and how much light they keep from it.
uniform sampler2D u_places;         // xyz: unit vectors from the planet's middle
layout(location = 0) out vec4 o_colour;

vec3 sky_lamp(float cosine) { return vec3(0.0); }
#include "clouds.glsl"

void main() {
    vec3 up = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0).xyz;
    o_colour = vec4(cloud_cover(up), SHADOW * cloud_shadow(up), 0.0, 1.0);
}
