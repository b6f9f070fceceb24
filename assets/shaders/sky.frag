// The background: sunlit air, the sun's disc, the Milky Way, and the open sea beyond a terrain's square.
// PRINTED: black; AIR: 0 in empty space; SHELL: a planet's clouds from below; SEA: a terrain's open sea; STARS: the night sky.
#include "scatter.glsl"

in vec3 v_ray;
uniform sampler3D u_noise;

#include "sea.glsl"

layout(location = 0) out vec4 o_colour;

// The band follows a great circle. Octaves of noise make its clouds and the dust lanes along its middle.
vec3 milky_way(vec3 ray) {
    float across = dot(ray, normalize(vec3(0.43, 0.78, -0.45)));
    vec4 cloud = texture(u_noise, ray * 0.55 + 0.3), lane = texture(u_noise, ray * 1.7 + 0.1), grain = texture(u_noise, ray * 6.1);
    float thick = smoothstep(0.25, 0.80, 0.55 * cloud.x + 0.30 * lane.x + 0.25 * grain.x);
    float band = exp(-across * across * 26.0) * (0.25 + 0.75 * thick);
    float dust = smoothstep(0.42, 0.70, cloud.z * 0.5 + lane.w * 0.4 + grain.y * 0.2) * exp(-across * across * 90.0);
    vec3 light = mix(vec3(0.62, 0.72, 1.0), vec3(0.95, 0.90, 0.82), 0.6 * cloud.y * band) * band * (1.0 - 0.8 * dust) * 0.013;
    return (light + vec3(0.35, 0.45, 0.8) * 0.0012) * u_stars;
}

// What lights clouds from all around, `lamp` by day: after sunset the glow of the sky is most of it, and they are dark before it.
vec3 lit_at_dusk(vec3 lamp, vec3 behind, float cosine) {
    return mix(0.35 * lamp + 0.55 * behind, lamp, smoothstep(-0.06, 0.12, cosine));
}

#if SEA
uniform sampler2D u_clouds;
const float CLOUD_HEIGHT = 6500.0, CLOUD_TILE = 52000.0;

// A layer of plasma high above the land, before the sky of colour `behind`. It thins out towards the horizon.
vec4 clouds(vec3 ray, vec3 behind) {
    float rise = CLOUD_HEIGHT - (u_eye_radius.x - u_air.x);
    float way = rise / max(ray.y, 0.02);
    vec2 at = u_cloudy.yz + ray.xz * (way / CLOUD_TILE);
    float thick = 0.80 * texture(u_clouds, at).r + 0.24 * texture(u_clouds, at * 3.7 + 0.4).r;
    float cover = smoothstep(0.50, 0.84, thick) * smoothstep(0.03, 0.16, ray.y) * smoothstep(0.0, 0.7, u_cloudy.x) * step(0.0, rise);
    vec3 light = u_sun_colour * sun_transmittance(CLOUD_HEIGHT, u_sun.y) * (0.10 + 0.22 * pow(max(dot(ray, u_sun), 0.0), 6.0));
    vec3 lamp = sky_lamp(u_sun.y) * mix(0.20, 0.5, smoothstep(0.0, 0.25, u_sun.y));
    return vec4(light * (1.45 - 0.95 * smoothstep(0.5, 1.0, thick)) + lit_at_dusk(lamp, behind, u_sun.y), cover);
}
#endif

#if SHELL
#include "clouds.glsl"

// How much of the sky ice clouds hide.
const float VEILED = 0.34;

// The cloud layer above the eye. It fades into the haze with distance.
vec4 clouds_above(vec3 ray) {
    float b = dot(u_eye, ray), c = (u_eye_radius.x - u_cloud_radius) * (u_eye_radius.x + u_cloud_radius);
    float way = -b + sqrt(max(b * b - c, 0.0));
    vec3 place = (u_eye + ray * way) / u_cloud_radius;
    vec3 d = drifted(place);
    // The octaves of the layer seen from above. What is small is left out where it would be drawn out into streaks.
    float steep = smoothstep(0.02, 0.25, dot(ray, place)), thick = plasma(d);
    vec4 bank = texture(u_noise, d * 2.9 + 0.2 * thick), billow = texture(u_noise, d * 9.0 + 0.5 * thick);
    // Ice clouds around and between the heaps: thin, and of soft edges.
    float veil = smoothstep(0.44, 0.84, thick + 0.5 * (bank.w - 0.5) + 0.3 * (billow.w - 0.5)) * smoothstep(0.0, 0.6, u_cloudy.x);
    thick += 0.16 * (bank.z - 0.5) + 0.40 * mix(0.4, 1.0, steep) * (billow.x - 0.5) + 0.20 * steep * (texture(u_noise, d * 41.0 + 2.0 * thick).y - 0.5);
    // Fades in as the eye sinks below the layer: from near below, clouds would be drawn out into streaks.
    float below = smoothstep(200.0, 1800.0, u_cloud_radius - u_eye_radius.x);
    // Seen edge-on, they would be a line across the sky.
    float cover = max(covering(thick), VEILED * veil) * smoothstep(0.0, 9000.0, way) * exp(-way / 60000.0) * below * smoothstep(0.015, 0.07, dot(ray, place));
    float through = 1.15 - 0.9 * smoothstep(0.6, 1.0, thick) + 0.5 * pow(max(dot(ray, u_sun), 0.0), 6.0);
    return vec4(cloud_light(u_sun_colour * sun_transmittance(u_cloud_radius - u_air.x, dot(place, u_sun)), dot(place, u_sun), through), cover);
}
#endif

#if AIR && STARS && !SEA
// Airglow: a faint shell near the top of the air, brightest along grazing rays. `q`: by how many half widths of the shell the
// ray dips below it; the path through a shell with soft edges rises over its rim, and falls below it with the root of that.
vec3 airglow(vec3 ray, bool grounded) {
    float along = dot(u_eye, ray);
    vec3 closest = u_eye + ray * max(-along, 0.0);
    float nearest = sqrt(max(u_eye_radius.x * u_eye_radius.x - along * along, 0.0));
    float high = mix(u_air.x, u_air.y, 0.80), wide = 0.09 * (u_air.y - u_air.x);
    float q = (high - nearest) / wide;
    float path = inversesqrt(sqrt(q * q + 1.0)) / (1.0 + exp(-2.4 * (q + 0.4)));
    // From above the shell a ray meets it twice, unless the ground is between, and not at all if it rises.
    float above = smoothstep(-2.0, 2.0, (u_eye_radius.x - high) / wide);
    float met = mix(0.5, along < 0.0 ? (grounded ? 0.5 : 1.0) : 0.0, above);
    float night = smoothstep(0.02, -0.30, dot(closest, u_sun) / length(closest));
    return vec3(0.22, 0.60, 0.40) * (0.0035 * path * met * night * u_stars);
}
#endif

vec3 open_sea(vec3 ray, float distance_, vec3 sunlight) {
    vec3 up = normalize(u_eye + ray * distance_);
    float cosine = dot(up, u_sun);
    return sea_light(u_sea_colour, up, up, -ray, OPEN_SPREAD, sunlight, sky_lamp(cosine));
}

void main() {
#if PRINTED
    o_colour = vec4(0.0, 0.0, 0.0, 1.0);
#else
    vec3 ray = normalize(v_ray);
    float mu = dot(ray, u_sun);
    float disc = smoothstep(0.99996, 0.99998, mu);
    vec3 behind = u_sun_colour * disc * 14.0 * SUN_TINT, glare = sun_glow(mu);
#if STARS
    behind += milky_way(ray);
#endif
#if !AIR
    o_colour = vec4(behind + glare, 1.0);
#else
    float ground = ground_distance(ray);
    vec3 light, left;
    sky(ray, light, left);
    if (ground > 0.0) {
#if SEA
        // The same steps as on the surface, so that no seam shows.
        vec3 there = u_eye + ray * ground;
        vec3 sunlight = u_sun_colour * sun_transmittance(0.0, dot(there, u_sun) / u_air.x);
        haze(ray, air_span(ray).x, ground, u_eye_radius.x - u_air.x, 0.0, light, left);
        behind = open_sea(ray, ground, sunlight);
#else
        left = vec3(0.0);
#endif
    }
    // Without its air, a form that is no sphere yet hides nothing but by itself.
    light *= u_air_there;
    left = mix(vec3(1.0), left, u_air_there);
    vec3 colour = behind * left + light + (ground > 0.0 ? vec3(0.0) : glare);
#if STARS && !SEA
    colour += u_air_there * airglow(ray, ground > 0.0);
#endif
#if SHELL
    vec4 above = clouds_above(ray);
    colour = mix(colour, above.rgb, ground > 0.0 ? 0.0 : above.a);
#endif
#if SEA
    vec4 cloud = clouds(ray, colour);
    colour = mix(colour, cloud.rgb, ground > 0.0 ? 0.0 : cloud.a);
#endif
    o_colour = vec4(colour, 1.0);
#endif
#endif
}
