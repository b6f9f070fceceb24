// How much of sun and sky a terrain's place gets. The texture keeps how high the horizon stands at three bearings of the
// sun's way (the sine of its elevation), and the share of the open sky; between the bearings the horizon is interpolated.

vec2 lit(vec4 horizon) {
    // 4 degrees of twilight: shadows of real mountains have soft edges, and their samples are far apart.
    return vec2(clamp((u_sun.y - 0.75 * dot(horizon.rgb, u_bearings)) * 14.0 + 0.5, 0.0, 1.0), horizon.a);
}
