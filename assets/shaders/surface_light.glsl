// The light and the air at a place of a surface. By vertex that is fine enough: shadows of clouds and mountains are softer than any
// triangle is large. Where shading is deferred it is by pixel. Reads v_relative, v_up and v_texture, and sets the other v_ variables
// that light and air need.
#if SPHERICAL
#include "horizon.glsl"
uniform sampler2DArray u_light_a;
#if MIXED
uniform sampler2DArray u_light_b;
#endif
#else
uniform sampler2D u_clouds;
const float CLOUD_HEIGHT = 6500.0, CLOUD_TILE = 52000.0;
#endif

// `uv`: on the face; `height`: metres above the sea.
void light_and_air(vec2 uv, float height) {
#if TILES
    vec3 at = u_origin + v_relative / u_noise_metres;
    v_broad = 0.6 * textureLod(u_noise, at, 0.0) + 0.4 * textureLod(u_noise, at * 8.0, 0.0);
    v_cover = ground_cover(v_texture, v_up, v_broad);
#endif

#if SHEET
    vec3 from_centre = v_up * (u_size + height);
#else
    vec3 from_centre = u_eye + v_relative;
#endif
    float r = length(from_centre);
    float cosine = dot(from_centre, u_sun) / r;
    v_sunlight = u_sun_colour * sun_transmittance(r - u_air.x, cosine);
    v_skylight = sky_lamp(cosine);
#if SPHERICAL
    v_share = lit(textureLod(u_light_a, v_texture, 0.0), cosine);
#if MIXED
    v_share = mix(v_share, lit(textureLod(u_light_b, v_texture, 0.0), cosine), u_mix);
#endif
    v_share = mix(vec2(1.0), v_share, u_shaded);
#endif

    float distance_ = length(v_relative);
    vec3 ray = v_relative / distance_;
    vec2 span = air_span(ray);
    span.y = min(span.y, distance_);
    v_haze = vec3(0.0);
    v_clear = vec3(1.0);
    if (span.y > span.x)
        haze(ray, span.x, span.y, u_eye_radius.x - u_air.x, r - u_air.x, v_haze, v_clear);
#if !SPHERICAL
    // Cloud shadows fade at the rim, beyond which the open sea has none, and under a low sun, which shines in below the clouds.
    vec2 above = u_cloudy.yz + (v_relative.xz + u_sun.xz * ((CLOUD_HEIGHT - height) / max(u_sun.y, 0.08))) / CLOUD_TILE;
    vec2 rim = 0.5 - abs(uv - 0.5);
    float shaded = smoothstep(0.50, 0.80, 0.80 * textureLod(u_clouds, above, 0.0).r + 0.12) * smoothstep(0.0, 0.10, min(rim.x, rim.y));
    v_sunlight *= 1.0 - 0.60 * smoothstep(0.02, 0.22, u_sun.y) * u_cloudy.x * shaded;
#endif
#if CLOUDS && !FINE
#if BELOW
    // Mountains rise into the layer gradually: how far behind the eye the layer is, seen from there.
    float along = dot(u_eye, ray), within = (u_eye_radius.x - u_cloud_radius) * (u_eye_radius.x + u_cloud_radius);
    float way = within / max(-along + sqrt(max(along * along - within, 0.0)), 1.0);
    v_clear *= 1.0 - SHADOW * cloud_shadow(v_up) * smoothstep(0.0, 1800.0, distance_ - way);
#else
    v_shadow = cloud_shadow(v_up);
#endif
#endif
#if CONE
    v_haze *= u_swell;
    v_clear = mix(vec3(1.0), v_clear, u_swell);
#endif
#if SHEET
    float air = clamp(5.0 * u_bend - 4.0, 0.0, 1.0);
    v_haze *= air;
    v_clear = mix(vec3(1.0), v_clear, air);
#endif
}
