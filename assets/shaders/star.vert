// A star: a point at infinity, drawn as a small soft disc so that it does not flicker when the camera turns, and seen through
// the air.
#include "sky_view.glsl"

layout(location = 0) in vec3 a_direction;
layout(location = 1) in vec3 a_colour;
out vec3 v_colour;
out float v_pixels;

const float OUTSHINES = 120.0;

void main() {
    gl_Position = (u_view_projection * vec4(a_direction, 0.0)).xyww;
    float bright = max(max(a_colour.r, a_colour.g), a_colour.b);
    // The square has room for the disc's faint rim.
    v_pixels = u_star_pixels * (1.0 + 0.9 * sqrt(bright));
    gl_PointSize = 2.0 * v_pixels + 1.0;
    float horizon = -sqrt(max(u_eye_radius.x * u_eye_radius.x - u_air.x * u_air.x, 0.0));
    float above = (dot(u_eye, a_direction) - horizon) / u_eye_radius.x;
    vec3 light, left;
    sky(a_direction, light, left);
    // A bright sky outshines them: early in dusk few are seen.
    float outshone = exp(-OUTSHINES * u_air_there * dot(light, vec3(0.2126, 0.7152, 0.0722)));
    v_colour = 0.75 * a_colour * u_stars * outshone * mix(1.0, smoothstep(0.0, 0.10, above), u_sea) * mix(vec3(1.0), left, u_air_there);
}
