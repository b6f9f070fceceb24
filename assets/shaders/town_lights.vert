// A lamp of a town at night, or the glow over a town: a soft point that lights up at dusk, dimmed by air and clouds. Lamps fade
// more slowly than the inverse square of the distance, because an eye in space would have adapted to the dark.
#include "scatter.glsl"

layout(location = 0) in vec3 a_position;   // world coordinates in metres
layout(location = 1) in vec3 a_colour;
layout(location = 2) in float a_spread;    // radius in metres
layout(location = 3) in float a_late;      // how late in the evening it is lit, 0..1

out vec3 v_colour;
out float v_flat;

#if CLOUDS
#include "clouds.glsl"
#endif

void main() {
    vec3 relative = a_position - u_world_eye;
#if SPHERICAL
    vec3 up = normalize(a_position);
#else
    vec3 up = vec3(0.0, 1.0, 0.0);
#endif
    // The first are lit when the sun has set.
    float dusk = -0.004 - 0.095 * a_late;
    float lit = u_shown * max(smoothstep(dusk + 0.012, dusk - 0.012, dot(up, u_sun)), u_night);
    if (lit <= 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        gl_PointSize = 1.0;
        v_colour = vec3(0.0);
        v_flat = 1.0;
        return;
    }
    float away = length(relative);
    vec3 ray = relative / away;
    // Pulled towards the eye: coarse distant ground would bury some lamps and cut the glow over a town in half.
    gl_Position = u_view_projection * vec4(relative * max(0.985 - 1.8 * a_spread / away, 0.7), 1.0);
    float wide = 2.0 * a_spread / away * u_pixels;
    gl_PointSize = clamp(wide, u_least, 96.0);
    // A point disappears whole when its middle leaves the picture, so large points fade out before.
    vec2 at = abs(gl_Position.xy) / max(gl_Position.w, 1e-6);
    lit *= smoothstep(0.0, 2.0 * gl_PointSize / u_height, 1.0 - max(at.x, at.y));
    lit *= pow(min(wide / gl_PointSize, 1.0), 1.3);
    v_flat = mix(1.0, clamp(abs(dot(ray, up)) * 1.3, 0.18, 1.0), step(12.0, wide));
    vec3 light, left = vec3(1.0);
    vec2 span = air_span(ray);
    span.y = min(span.y, away);
    if (span.y > span.x)
        haze(ray, span.x, span.y, u_eye_radius.x - u_air.x, length(u_eye + relative) - u_air.x, light, left);
#if CLOUDS
    // Where the ray meets the layer, as in cloud_layer.glsl. Finer clouds than these are drawn, so thin ones hide lamps too.
    float b = dot(u_eye, ray), c = (u_eye_radius.x - u_cloud_radius) * (u_eye_radius.x + u_cloud_radius);
    float way = c / max(-b + sqrt(max(b * b - c, 0.0)), 1.0);
    if (c > 0.0)
        lit *= 1.0 - smoothstep(0.02, 0.40, cloud_cover((u_eye + ray * way) / u_cloud_radius));
#endif
    v_colour = a_colour * left * lit;
}
