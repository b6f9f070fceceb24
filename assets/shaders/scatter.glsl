// Sunlight, skylight and haze in a spherical atmosphere. Lengths are in metres, positions relative to the planet's centre.
#include "sunlight.glsl"
#include "sky_view.glsl"

// Skylight; `cosine`: of the sun's zenith angle. It is bright by day, bluer and lingering through dusk, and at night only
// starlight and airglow remain.
vec3 sky_lamp(float cosine) {
    float day = 0.55 * smoothstep(-0.20, 0.18, cosine) + 0.45 * smoothstep(-0.05, 0.45, cosine);
    vec3 tint = mix(vec3(0.052, 0.092, 0.190), vec3(0.084, 0.115, 0.175), smoothstep(-0.10, 0.12, cosine));
    return u_sun_colour * (u_skylight * tint * day + vec3(0.0050, 0.0080, 0.0150));
}

const vec3 SUN_TINT = vec3(1.0, 0.95, 0.88);

// The glare around the sun, in the eye and not in the air; `mu`: cosine of the angle from it. A moon's dark side does not dim it.
// Low in the sky the sun dazzles less, and not at all behind the planet.
vec3 sun_glow(float mu) {
    float high = dot(u_eye, u_sun) / u_eye_radius.x, altitude = u_eye_radius.x - u_air.x;
    vec3 passed = mix(sun_transmittance(altitude, high), vec3(1.0), smoothstep(0.5, 1.0, altitude / (u_air.y - u_air.x)));
    vec3 glare = u_sun_colour * passed * smoothstep(-0.008, 0.008, high - u_horizon.x) * SUN_TINT;
    // It falls off with the square of the angle, as in a human eye (J. J. Vos, 1984), and ends 17 degrees away.
    return glare * max(0.00011 / (1.0004 - mu) - 0.0025, 0.0);
}

// Distances in metres at which the ray from the eye enters and leaves the air. The second is <= 0 where the ray misses.
vec2 air_span(vec3 ray) {
    float b = dot(u_eye, ray);
    float c = u_eye_radius.y * (u_eye_radius.x + u_air.y);
    float discriminant = b * b - c;
    if (discriminant <= 0.0)
        return vec2(0.0);
    float root = sqrt(discriminant);
    return vec2(max(-b - root, 0.0), -b + root);
}

// Distance to the ground sphere in metres, or -1 where the ray misses it.
float ground_distance(vec3 ray) {
    float b = dot(u_eye, ray);
    float c = (u_eye_radius.x - u_air.x) * (u_eye_radius.x + u_air.x);
    float discriminant = b * b - c;
    if (discriminant <= 0.0 || b > 0.0)
        return -1.0;
    return max(-b - sqrt(discriminant), 0.0);
}

// The light of the air between the distances near and far along a ray, and the transmittance of that stretch. Altitude is linear
// on each half of it, so the density has a closed integral; the ground hides the error. Below the ozone there is none. The colour is that of the table.
void haze(vec3 ray, float near, float far, float eye_altitude, float altitude, out vec3 light, out vec3 left) {
    vec3 middle = u_eye + ray * (0.5 * (near + far));
    vec3 start = u_eye + ray * near;
    vec3 h = max(vec3(near > 0.0 ? length(start) - u_air.x : eye_altitude, length(middle) - u_air.x, altitude), vec3(0.0));
    vec3 r = exp(-h / u_scale_height.x), m = exp(-h / u_scale_height.y);
    vec2 rise = vec2(h.y - h.x, h.z - h.y);
    // Chosen by booleans: a weight of 0 would not silence an infinite value.
    bvec2 level = lessThanEqual(abs(rise), vec2(30.0));
    vec2 apart = mix(rise, vec2(1.0), level);
    vec2 dr = mix((r.xy - r.yz) * u_scale_height.x / apart, r.xy, level);
    vec2 dm = mix((m.xy - m.yz) * u_scale_height.y / apart, m.xy, level);
    vec2 depth = 0.5 * (far - near) * vec2(dr.x + dr.y, dm.x + dm.y);
    left = exp(-(u_rayleigh * depth.x + u_mie_extinction * depth.y));
    light = haze_colour(ray, near, far) * (1.0 - left);
}
