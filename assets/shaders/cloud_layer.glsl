// A planet's cloud layer seen from above, in front of the ground, and the shadow that it casts.
#include "clouds.glsl"

// Metres from the eye over which the layer fades in, for an eye just above it and for one high above it, and what these are.
const vec2 VEILED_M = vec2(60000.0, 9000.0), HARDLY_ABOVE_M = vec2(500.0, 5000.0);

// Metres away from which single heaps are seen, and nearer than which they are all that is seen.
const vec2 NEAR_M = vec2(90000.0, 15000.0);

// Sines of the angles at which such an eye sees the layer edge-on, where it would be a bright line across mountains, and as a cloud.
const vec2 EDGE_ON = vec2(0.015, 0.08);

// `moist`: the ground's moisture below: clouds are thicker where it rains. `shadow`: of clouds that are not fine, see cloud_shadow.
vec3 clouded(vec3 colour, vec3 up, vec3 ray, float away, vec3 sunlight, float moist, float shadow) {
    // Where the ray meets the layer. This form of the root does not cancel when the eye is just above the layer.
    float b = dot(u_eye, ray), c = (u_eye_radius.x - u_cloud_radius) * (u_eye_radius.x + u_cloud_radius);
    float way = c / max(-b + sqrt(max(b * b - c, 0.0)), 1.0);
    vec3 place = (u_eye + ray * way) / u_cloud_radius;
    vec3 d = drifted(place);
    float lean = 0.12 * (moist - 0.5), thick = plasma(d) + lean, cosine = dot(place, u_sun), before = thick;
#if FINE
    before = plasma(drifted(normalize(up + (u_sun - up * dot(u_sun, up)) * 0.016))) + lean;
    shadow = covering(before);
#endif
    // From near, the layer breaks into heaps; from afar it shows banks and veils. What is small is left out where the layer is
    // seen so flat that it would be drawn out into streaks.
    float near_ = smoothstep(420000.0, 50000.0, way), steep = smoothstep(0.02, 0.25, -dot(ray, place));
    vec4 bank = texture(u_noise, d * 2.9 + 0.2 * thick), billow = texture(u_noise, d * 9.0 + 0.5 * thick);
    thick += (bank.z - 0.5) * mix(0.14, 0.16, near_) + (billow.x - 0.5) * mix(0.12, 0.40, near_) * mix(0.4, 1.0, steep);
    thick += (texture(u_noise, d * 41.0 + 2.0 * thick).y - 0.5) * mix(0.06, 0.20, near_) * steep;
    sunlight = u_sun_colour * sun_transmittance(u_cloud_radius - u_air.x, cosine);
    // The layer has depth: a mountain emerges from it gradually, and its top stands in sunlight.
    float under = smoothstep(0.0, 1800.0, away - way);
    colour *= 1.0 - SHADOW * shadow * under;
    // Fades out close to the eye, so that flying through the layer shows no wall. An eye that is just above it, over highlands,
    // looks along it: there it would be a veil over all that the flight is about.
    float above = smoothstep(HARDLY_ABOVE_M.x, HARDLY_ABOVE_M.y, u_eye_radius.x - u_cloud_radius), veiled = mix(VEILED_M.x, VEILED_M.y, above);
    float edge_on = mix(smoothstep(EDGE_ON.x, EDGE_ON.y, -dot(ray, place)), 1.0, above);
    float cover = covering(thick) * smoothstep(0.0, veiled, way) * edge_on * under * step(0.0, c);
    // Self-shadowing: darker where more cloud lies towards the sun. From near, every hollow between two heaps is seen.
    float heap = thick - before, single = smoothstep(NEAR_M.x, NEAR_M.y, way);
    float shade = clamp(mix(0.74 + 3.6 * heap, 0.58 + 4.6 * heap, single), mix(0.40, 0.3, single), 1.1);
    return mix(colour, cloud_light(sunlight, cosine, shade), cover);
}
