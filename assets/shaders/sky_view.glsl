// The table of the air as it is seen from the eye, drawn by sky_view.frag (after S. Hillaire, 2020). Its rows are even in the
// square root of how far the sine of the elevation is above the horizon. Its columns are, from left to right: the sky's light,
// even in the sine of half the angle around the zenith from the sun; the transmittance; and the colour of the haze between the
// eye and a place, in slices of the distance, with the root of how much haze there is.
uniform sampler2D u_sky_view;

const float COLUMNS = 39.0, ROWS = 56.0, HAZE_COLUMNS = 8.0, SLICES = 4.0;
const float WIDTH = COLUMNS + 1.0 + SLICES * HAZE_COLUMNS;
// What a texel is of the light under a sun of irradiance 1: half floats have few digits for the light of the night.
const float TEXEL = 64.0;

// The sine of half the angle around the zenith between a ray, whose elevation has the sine `rise`, and the sun.
float from_sun(vec3 ray, float rise) {
    float high = dot(u_eye, u_sun) / u_eye_radius.x;
    float across = inversesqrt(max(1.0 - rise * rise, 1e-6) * max(1.0 - high * high, 1e-6));
    return sqrt(clamp(0.5 - 0.5 * (dot(ray, u_sun) - rise * high) * across, 0.0, 1.0));
}

// 0 at the horizon, 1 where the air ends: the zenith, or the air's rim as it is seen from space.
float above_horizon(float rise) { return (rise - u_horizon.x) / (u_horizon.y - u_horizon.x); }

float sky_row(float above) { return (sqrt(clamp(above, 0.0, 1.0)) * (ROWS - 1.0) + 0.5) / ROWS; }

// 1 near the ground, 0 where the eye is so high that the table of the air tells little of what is far below it.
float near_ground() { return 1.0 - smoothstep(8000.0, 30000.0, u_eye_radius.x - u_air.x); }

// Light that the air itself sends on when the sun is deep below the horizon, for which the table has too few orders: the planet's
// shadow rises grey-blue and not black. Seen from near the ground only.
vec3 twilight() {
    float high = dot(u_eye, u_sun) / u_eye_radius.x;
    return u_sun_colour * vec3(0.00100, 0.00135, 0.00220) * (near_ground() * smoothstep(-0.018, -0.056, high) * smoothstep(-0.30, -0.10, high));
}

// The sky's light along a ray that misses the ground, and the transmittance of the air there.
void sky(vec3 ray, out vec3 light, out vec3 left) {
    float rise = dot(u_eye, ray) / u_eye_radius.x, above = above_horizon(rise), row = sky_row(above);
    light = textureLod(u_sky_view, vec2((from_sun(ray, rise) * (COLUMNS - 1.0) + 0.5) / WIDTH, row), 0.0).rgb;
    left = textureLod(u_sky_view, vec2((COLUMNS + 0.5) / WIDTH, row), 0.0).rgb;
    // Above the air's rim there is nothing.
    float air = above < 1.0 ? 1.0 : 0.0;
    light = air * (light * u_sun_colour / TEXEL + twilight() * (1.0 - left));
    left = mix(vec3(1.0), left, air);
}

// The colour of the air between the distances near and far along a ray: its light where it lets nothing through.
vec3 haze_colour(vec3 ray, float near, float far) {
    float rise = dot(u_eye, ray) / u_eye_radius.x, above = above_horizon(rise);
    float below = (u_horizon.x - rise) / (1.0 + u_horizon.x);
    float row = 0.5 + 0.5 * (above > 0.0 ? sqrt(min(above, 1.0)) : -sqrt(clamp(below, 0.0, 1.0)));
    // How far the ray would go to the ground or out of the air.
    float b = dot(u_eye, ray);
    float ground = b * b - (u_eye_radius.x - u_air.x) * (u_eye_radius.x + u_air.x);
    float top = b * b - u_eye_radius.y * (u_eye_radius.x + u_air.y);
    float most = -b + (above > 0.0 ? 1.0 : 0.0) * sqrt(max(top, 0.0)) - (above > 0.0 ? 0.0 : 1.0) * sqrt(max(ground, 0.0)) - near;
    float slice = sqrt(clamp((far - near) / max(most, 1.0), 0.0, 1.0)) * (SLICES - 1.0);
    float first = min(floor(slice), SLICES - 2.0);
    vec2 at = vec2(COLUMNS + 1.5 + first * HAZE_COLUMNS + from_sun(ray, rise) * (HAZE_COLUMNS - 1.0), row * (ROWS - 1.0) + 0.5);
    vec2 size = vec2(WIDTH, ROWS);
    vec4 here = textureLod(u_sky_view, at / size, 0.0), next = textureLod(u_sky_view, (at + vec2(HAZE_COLUMNS, 0.0)) / size, 0.0);
    // A slice without haze has no say: seen from above, the air at dusk is bright where it is thin, and dark where it is thick.
    vec2 weight = vec2(first + 1.0 - slice, slice - first) * vec2(here.a, next.a);
    return (here.rgb * weight.x + next.rgb * weight.y) / max(weight.x + weight.y, 1e-6) * u_sun_colour / TEXEL + twilight();
}
