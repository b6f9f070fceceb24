// Single scattering of sunlight in a spherical atmosphere: one function for the sky, for the limb seen from space and for haze
// over the ground. Lengths are in metres, positions relative to the planet's centre.

// The transmittance of the air towards the sun. `altitude`: metres above the ground; `cosine`: of the sun's zenith angle. It
// reads the table of demo/geometry/sunlight.py, whose columns crowd around the horizon.
uniform sampler2D u_sunlight;

vec3 sun_transmittance(float altitude, float cosine) {
    float x = 0.5 + 0.5 * atan(cosine * 8.0) / 1.4464413;
    float y = sqrt(clamp(altitude / (u_air.y - u_air.x), 0.0, 1.0));
    vec2 size = vec2(textureSize(u_sunlight, 0));
    return textureLod(u_sunlight, (vec2(x, y) * (size - 1.0) + 0.5) / size, 0.0).rgb;
}

// Skylight; `cosine`: of the sun's zenith angle. It is bright by day, bluer and lingering through dusk, and at night only
// starlight and airglow remain.
vec3 sky_lamp(float cosine) {
    float day = 0.55 * smoothstep(-0.20, 0.18, cosine) + 0.45 * smoothstep(-0.05, 0.45, cosine);
    vec3 tint = mix(vec3(0.052, 0.092, 0.190), vec3(0.084, 0.115, 0.175), smoothstep(-0.10, 0.12, cosine));
    return u_sun_colour * (tint * day + vec3(0.0050, 0.0080, 0.0150));
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

// The share of multiply scattered light that enters a ray. It is bluer than sunlight.
const vec3 MANY = vec3(0.024, 0.032, 0.046);

// Light scattered into the ray between the distances near and far (metres), and the transmittance of that stretch.
void scatter(vec3 ray, float near, float far, int steps, out vec3 light, out vec3 left) {
    // Samples are even in y = u / sqrt(1 + u^2). u is the distance from where the ray comes closest to the planet's centre,
    // over a length in which the air thins out along the ground. The few samples of a slow machine so move smoothly from ray
    // to ray, and no line shows in the sky.
    float spread = 1.5 * sqrt(2.0 * u_air.x * u_scale_height.x);
    // Farther off it would not change the samples, but lose digits.
    float closest = clamp(-dot(u_eye, ray), near - 4.0 * spread, far + 4.0 * spread);
    vec2 u = (vec2(near, far) - closest) / spread;
    vec2 y = u * inversesqrt(1.0 + u * u);
    // A ray that only rises, or only falls, has most of its air at one end: samples crowd there.
    vec2 steep = smoothstep(0.0, 2.0, vec2(u.x, -u.y));
    float crowd = steep.x - steep.y, share = 1.0 / float(steps);
    vec3 rayleigh_sum = vec3(0.0), mie_sum = vec3(0.0), many_sum = vec3(0.0);
    left = vec3(1.0);
    for (int k = 0; k < steps; ++k) {
        float x = (float(k) + 0.5) * share;
        float at = y.x + (y.y - y.x) * (x + (x * x - x) * crowd);
        float stretch = inversesqrt(1.0 - at * at);
        float width = (y.y - y.x) * share * spread * (1.0 + (2.0 * x - 1.0) * crowd) * stretch * stretch * stretch;
        vec3 p = u_eye + ray * (closest + spread * at * stretch);
        float r = length(p);
        float altitude = max(r - u_air.x, 0.0);
        vec2 density = exp(-altitude / u_scale_height) * width;
        float cosine = dot(p, u_sun) / r;
        // The air of a step also dims what is scattered within it. With the closed integral of that, long steps keep their
        // blue light; taken at the middle of a step, it turned the horizon amber.
        vec3 tau = (u_rayleigh + u_absorption) * density.x + vec3(1.1 * u_mie * density.y);
        vec3 passed = exp(-tau);
        vec3 path = left * (1.0 - passed) / max(tau, vec3(1e-6));
        left *= passed;
        vec3 arriving = sun_transmittance(altitude, cosine) * path;
        rayleigh_sum += arriving * density.x;
        mie_sum += arriving * density.y;
        // Multiple scattering: nearly isotropic, and it reaches a little past the terminator.
        many_sum += path * (density.x * smoothstep(-0.25, 0.35, cosine));
    }
    float mu = dot(ray, u_sun);
    const float g = 0.76;
    float phase_rayleigh = 0.0596831 * (1.0 + mu * mu);
    float phase_mie = 0.1193662 * (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * mu, 1.5));
    light = u_sun_colour * (rayleigh_sum * u_rayleigh * phase_rayleigh + mie_sum * u_mie * phase_mie
                            + many_sum * u_rayleigh * MANY);
}

// The sunlight that meets the air in front of a vertex. `altitude`: metres; `sunlight`: what reaches the vertex; `cosine`: of
// the sun's zenith angle. Seen from above, half of the scattering air lies high above the ground, where light at dusk is
// whiter and lasts longer.
vec3 sun_in_air(vec3 sunlight, float altitude, float cosine) {
    float above = min(u_eye_radius.x - u_air.x, 0.6 * u_scale_height.x);
    return 0.5 * (sunlight + u_sun_colour * sun_transmittance(max(altitude, above), cosine));
}

// scatter() for the air in front of a vertex. Altitude is linear on each half of the ray, so the density has a closed
// integral, and `sunlight` is constant. It costs a thousandth of scatter(), and the ground hides the error.
void haze(vec3 ray, float near, float far, float eye_altitude, float altitude, vec3 sunlight, out vec3 light, out vec3 left) {
    vec3 middle = u_eye + ray * (0.5 * (near + far));
    vec3 start = u_eye + ray * near;
    vec3 h = max(vec3(near > 0.0 ? length(start) - u_air.x : eye_altitude, length(middle) - u_air.x, altitude), vec3(0.0));
    vec3 r = exp(-h / u_scale_height.x), m = exp(-h / u_scale_height.y);
    vec2 rise = vec2(h.y - h.x, h.z - h.y);
    vec2 flat_ = step(abs(rise), vec2(30.0));
    vec2 dr = mix((r.xy - r.yz) * u_scale_height.x / (rise + flat_), r.xy, flat_);
    vec2 dm = mix((m.xy - m.yz) * u_scale_height.y / (rise + flat_), m.xy, flat_);
    vec2 depth = 0.5 * (far - near) * vec2(dr.x + dr.y, dm.x + dm.y);
    vec3 tau = (u_rayleigh + u_absorption) * depth.x + vec3(1.1 * u_mie * depth.y);
    left = exp(-tau);
    float mu = dot(ray, u_sun);
    const float g = 0.76;
    float phase_rayleigh = 0.0596831 * (1.0 + mu * mu);
    float phase_mie = 0.1193662 * (1.0 - g * g) * (1.0 + mu * mu) / ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * mu, 1.5));
    float cosine = dot(middle, u_sun) / length(middle);
    vec3 once = (u_rayleigh * depth.x * phase_rayleigh + vec3(u_mie * depth.y * phase_mie)) * sunlight;
    vec3 many = u_rayleigh * depth.x * MANY * smoothstep(-0.25, 0.35, cosine) * u_sun_colour;
    light = (once + many) * (1.0 - left) / max(tau, vec3(1e-6));
}
