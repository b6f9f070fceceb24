// Draws the table that sky_view.glsl describes and reads: light scattered once, by integration, and all further orders from the
// table of sunlight.glsl.
#include "sunlight.glsl"
#include "sky_view.glsl"

layout(location = 0) out vec4 o_texel;

const int STEPS = 20;
// Slices begin a little away from the eye, where they have a colour.
const float FIRST = 0.1;

// What is scattered into the distances near to far of a ray, for a sun of irradiance 1; what is `left` of light from behind; and
// the share of a colour that the stretch would add if it sent that colour on, as exact where there is next to no air. `rise`, `high`: sines
// of the ray's and the sun's elevations; `mu`: cosine of the angle between them.
void scatter(float rise, float high, float mu, float near, float far, out vec3 light, out vec3 left, out vec3 kept) {
    // Samples are even in y = u / sqrt(1 + u^2). u is the distance from where the ray comes closest to the planet's centre,
    // over a length in which the air thins out along the ground. So samples move smoothly from ray to ray, and no line shows.
    float spread = 1.5 * sqrt(2.0 * u_air.x * u_scale_height.x), radius = u_table_eye.x;
    // Farther off it would not change the samples, but lose digits.
    float closest = clamp(-radius * rise, near - 4.0 * spread, far + 4.0 * spread);
    vec2 u = (vec2(near, far) - closest) / spread;
    vec2 y = u * inversesqrt(1.0 + u * u);
    // A ray that only rises, or only falls, has most of its air at one end: samples crowd there.
    vec2 steep = smoothstep(0.0, 2.0, vec2(u.x, -u.y));
    float crowd = steep.x - steep.y, share = 1.0 / float(STEPS);
    float across = radius * sqrt(max(1.0 - rise * rise, 0.0));
    vec3 rayleigh = vec3(0.0), mie = vec3(0.0), many = vec3(0.0);
    left = vec3(1.0);
    kept = vec3(0.0);
    for (int k = 0; k < STEPS; ++k) {
        float x = (float(k) + 0.5) * share;
        float at = y.x + (y.y - y.x) * (x + (x * x - x) * crowd);
        float stretch = inversesqrt(1.0 - at * at);
        float width = (y.y - y.x) * share * spread * (1.0 + (2.0 * x - 1.0) * crowd) * stretch * stretch * stretch;
        float way = closest + spread * at * stretch, along = way + radius * rise;
        float r = sqrt(across * across + along * along);
        float altitude = max(r - u_air.x, 0.0), cosine = (radius * high + way * mu) / r;
        vec2 density = exp(-altitude / u_scale_height) * width;
        // The air of a step also dims what is scattered within it: the closed integral of that keeps the blue of long steps.
        float ozone = max(1.0 - abs(altitude - u_ozone.x) * u_ozone.y, 0.0) * width;
        vec3 haze = u_rayleigh * density.x + u_mie_extinction * density.y, tau = haze + u_absorption * ozone;
        vec3 passed = exp(-tau);
        vec3 path = left * mix((1.0 - passed) / max(tau, vec3(1e-6)), 1.0 - 0.5 * tau, step(tau, vec3(1e-3)));
        left *= passed;
        kept += path * haze;
        // The light that comes from the sun, and what is scattered on evenly to all sides of all that has been scattered before.
        vec2 place = air_place(altitude, cosine);
        vec3 arriving = textureLod(u_sunlight, place, 0.0).rgb * path;
        rayleigh += arriving * density.x;
        mie += arriving * density.y;
        many += textureLod(u_sunlight, place + vec2(0.0, 0.5), 0.0).rgb * path * (u_rayleigh * density.x + u_mie * density.y);
    }
    vec3 g = u_mie_forward;
    float phase_rayleigh = 0.0596831 * (1.0 + mu * mu);
    vec3 phase_mie = 0.1193662 * (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * mu, vec3(1.5)));
    light = rayleigh * u_rayleigh * phase_rayleigh + mie * u_mie * phase_mie + many;
}

void main() {
    vec2 texel = gl_FragCoord.xy - 0.5;
    float row = texel.y / (ROWS - 1.0), haze = texel.x - COLUMNS - 1.0, slice = floor(haze / HAZE_COLUMNS);
    // The sky's rows are above the horizon; the haze's middle row is the horizon.
    float side = haze < 0.0 ? row : 2.0 * row - 1.0, column = haze < 0.0 ? min(texel.x, COLUMNS - 1.0) / (COLUMNS - 1.0)
                                                                          : (haze - slice * HAZE_COLUMNS) / (HAZE_COLUMNS - 1.0);
    bool down = side < 0.0;
    float rise = mix(u_table_horizon.x, down ? -1.0 : u_table_horizon.y, side * side);
    float high = u_table_sun;
    float mu = rise * high + sqrt(max((1.0 - rise * rise) * (1.0 - high * high), 0.0)) * (1.0 - 2.0 * column * column);
    // From where to where the ray is in the air.
    float b = u_table_eye.x * rise;
    float ground = b * b - (u_table_eye.x - u_air.x) * (u_table_eye.x + u_air.x);
    float top = sqrt(max(b * b - u_table_eye.y * (u_table_eye.x + u_air.y), 0.0));
    float near = max(-b - top, 0.0), far = down ? -b - sqrt(max(ground, 0.0)) : -b + top;
    float share = haze < 0.0 ? 1.0 : max(slice / (SLICES - 1.0), FIRST);
    vec3 light, left, kept;
    scatter(rise, high, mu, near, near + max(far - near, 0.0) * share * share, light, left, kept);
    vec3 colour = haze < 0.0 ? light : light / max(kept, vec3(1e-12));
    o_texel = vec4(texel.x == COLUMNS ? left : colour * TEXEL, sqrt(kept.g));
}
