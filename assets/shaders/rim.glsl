// The rim of a terrain's square is drawn lower than it is: a shallow sea would show a row of islets where the world ends.
const float RIM_WIDTH = 0.05, RIM_DEPTH = 0.016;

// Metres. `uv`: on the square, 0..1.
float rim_drop(vec2 uv) {
    vec2 inside = 0.5 - abs(uv - 0.5);
    return RIM_DEPTH * u_relief_m * (1.0 - smoothstep(0.0, RIM_WIDTH, min(inside.x, inside.y)));
}
