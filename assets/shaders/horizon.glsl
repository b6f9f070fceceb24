// The shares of sunlight and skylight that reach a place on a terrain. The texture holds the sine of the horizon's elevation
// at three bearings of the sun's path, and the share of open sky. The horizon is interpolated between the bearings.

vec2 lit(vec4 horizon) {
    // A penumbra 4 degrees wide: shadows of real mountains have soft edges, and the samples are far apart.
    return vec2(clamp((u_sun.y - 0.75 * dot(horizon.rgb, u_bearings)) * 14.0 + 0.5, 0.0, 1.0), horizon.a);
}
