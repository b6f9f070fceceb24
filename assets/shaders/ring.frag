// A planet's rings: ice and dust, lit from either side, with the planet's shadow on them, seen through its air.
#include "scatter.glsl"
#include "rings.glsl"

in vec3 v_place;
in vec3 v_relative;
layout(location = 0) out vec4 o_colour;

// The transmittance of the air in front of a ring.
vec3 clear(vec3 ray) {
    vec3 light, left;
    sky(ray, light, left);
    // From space it counts only where the ray is closest to the ground between the eye and the ring.
    float along = dot(u_eye, ray);
    float between = smoothstep(0.0, 0.1 * u_air.x, -along) * smoothstep(0.0, 0.1 * u_air.x, along + length(v_relative));
    return mix(left, mix(vec3(1.0), left, between), step(0.0, u_eye_radius.y));
}

void main() {
    float r = length(v_place);
    vec4 band = bands(r, fwidth(r));
    vec3 ray = normalize(v_relative);
    float toward = dot(v_place, u_sun);
    float beside = length(v_place - u_sun * toward);
    float sun = toward > 0.0 ? 1.0 : smoothstep(0.985, 1.02, beside);
    // The unlit side shows only transmitted light, which is brightest where the rings are thin.
    bool front = dot(u_sun, u_ring_axis) * dot(-ray, u_ring_axis) > 0.0;
    float high = abs(dot(u_sun, u_ring_axis));
    float shine = front ? 0.30 + 0.70 * smoothstep(0.0, 0.35, high) : 1.3 * (1.0 - band.a) * smoothstep(0.0, 0.35, high) + 0.04;
    float forward = 1.0 + 1.6 * pow(max(dot(ray, u_sun), 0.0), 8.0);
    vec3 light = band.rgb * u_sun_colour * (0.26 * sun * shine * forward + 0.004);
    // Fades out close to the eye, so that flying through the rings shows no wall.
    float alpha = band.a * smoothstep(0.01, 0.12, length(v_relative) / u_size);
    o_colour = vec4(light * clear(ray) * alpha, alpha * u_stars);
}
