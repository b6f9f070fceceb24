// Writes what the air lets through between the eye and places about as high. A pixel's column says how much higher the middle of
// the way is than the eye, and its row how much higher the place is: in half metres. The block WAY is in test_haze.py.

// Some compilers make a choice of a mix() by a step(), and others multiply by it. So does this one, which does not know before
// it runs that the weight is 0 or 1.
vec2 weight(vec2 edge, vec2 x) { return clamp((x - edge) * u_steepness, 0.0, 1.0); }
#define step weight
#include "scatter.glsl"
layout(location = 0) out vec4 o_colour;

void main() {
    vec2 higher = 0.5 * (floor(gl_FragCoord.xy) - u_middle);
    float half_ = 0.5 * u_far, altitude = u_eye_radius.x - u_air.x;
    vec3 light, left;
    haze(vec3(1.0, (higher.x - 0.5 * half_ * half_ / u_air.x) / half_, 0.0), 0.0, u_far, altitude, altitude + higher.y, light, left);
    o_colour = vec4(left, 1.0);
}
