// Open water: one function for the surface's sea and for the sea beyond a terrain's square, so that no seam shows.
// `body`: colour scattered back by the water; `n`: unit normal; `spread`: exponent of the sun's glitter; `share`: of the sunlight
// that mountains let through.

// The exponent on the open sea around a terrain's square.
const float OPEN_SPREAD = 50.0;

// The colour of rivers and lakes, dark with dissolved matter, by those of the deep and of the shallow sea and of meadows.
vec3 fresh_water(vec3 deep, vec3 shallow, vec3 lush) { return 0.46 * deep + 0.10 * shallow + 0.07 * lush; }

// Water takes the red from what is seen through it.
vec3 seen_through_water(vec3 colour) { return colour * vec3(0.34, 0.80, 0.72); }

vec3 shaded_sea_light(vec3 body, vec3 up, vec3 n, vec3 view, float spread, vec3 sunlight, vec3 skylight, float share) {
    float high = max(dot(up, u_sun), 0.0);
    float facing = clamp(dot(n, view), 0.0, 1.0);
    // At grazing angles unresolved waves turn towards the eye, so reflection is never total (E. Bruneton, F. Neyret and
    // N. Holzschuch, 2010, for slopes of 0.13).
    float fresnel = 0.02 + 0.46 * pow(1.0 - facing, 3.6);
    float skirt = pow(max(dot(n, normalize(view + u_sun)), 0.0), spread / 3.0);
    float glint = skirt * skirt * skirt * (spread + 8.0) * 0.0398;
    // It reflects the sky low above the horizon: a fit to the results of scatter(), warmer and brighter towards the sun.
    float toward = max(2.0 * facing * dot(n, u_sun) - dot(view, u_sun), 0.0);
    toward *= toward * toward;
    vec3 mirrored = skylight * mix(0.10, 0.44, smoothstep(-0.12, 0.20, dot(up, u_sun))) + sunlight * (0.010 + 0.075 * toward * toward);
    // At dusk the sky is brightest where the sun went down, which no fit tells. From near the ground the table of the air has it;
    // waves lean, so that they mirror what is a little higher.
    float dusk = (1.0 - smoothstep(0.02, 0.16, dot(up, u_sun))) * near_ground();
    if (dusk > 0.0) {
        vec3 glow, left;
        sky(normalize(reflect(-view, n) + 0.06 * up), glow, left);
        mirrored = mix(mirrored, glow + 0.10 * skylight, dusk);
        // The water itself is dark by then: its blue would outshine the sky's.
        skylight = mix(skylight, vec3(0.5 * dot(skylight, vec3(0.33))), 0.8 * dusk);
    }
    // What it mirrors is the sky, which lies in no shadow.
    vec3 light = body * (sunlight * (high * share) + skylight) * 0.7 + mirrored * fresnel;
    // From orbit the crests of many waves stand in the glitter at once: bright, soft, and a little warmer than the light.
    float afar = 1.0 - smoothstep(100.0, 420.0, spread);
    float glitter = min(glint, 6.0) * mix(0.03, 1.0, fresnel) + 0.045 * afar * skirt;
    return light + sunlight * mix(vec3(1.0, 0.92, 0.76), vec3(1.0, 0.84, 0.58), afar) * (glitter * high * 0.3 * share);
}

vec3 sea_light(vec3 body, vec3 up, vec3 n, vec3 view, float spread, vec3 sunlight, vec3 skylight) {
    return shaded_sea_light(body, up, n, view, spread, sunlight, skylight, 1.0);
}
