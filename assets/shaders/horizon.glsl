// The shares of sunlight and skylight that mountains let through to a place. The texture holds the sine of the horizon's
// elevation at three places of the sun on its way, and the share of open sky. The horizon is interpolated between the three.
// `height`: the sine of the sun's elevation.

vec2 lit(vec4 horizon, float height) {
    // A penumbra 4 degrees wide: shadows of real mountains have soft edges, and the samples are far apart.
    return vec2(clamp((height - 0.75 * dot(horizon.rgb, u_bearings)) * 14.0 + 0.5, 0.0, 1.0), horizon.a);
}
