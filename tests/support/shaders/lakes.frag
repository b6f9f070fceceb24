// The level of lakes at points of a face, for test_lakes_shader.py.
#include "lakes.glsl"

layout(location = 0) out vec4 o_colour;

const float GUTTER = 2.0;

void main() {
    vec2 uv = gl_FragCoord.xy / u_points;
    vec2 at = (uv * (u_samples - 1.0) + GUTTER + 0.5) / (u_samples + 2.0 * GUTTER);
    o_colour = vec4(lake_level(vec3(at, float(u_face))), 0.0, 0.0, 1.0);
}
