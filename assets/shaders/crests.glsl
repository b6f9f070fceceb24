// What grows and lies in the hollows and on the crests of the detail.

uniform sampler2D u_tile_ridges;

// From -1 in a hollow to 1 on a crest; 0 far away, where detail is not seen.
float ridge_or_hollow() {
    vec2 both = texture(u_tile_ridges, v_tile).rg;
    float lies = 2.0 * mix(both.x, both.y, v_morph) - 1.0;
    return detailed * lies * abs(lies);
}

// The noise by which land is shaded gives way to the lie of the land: hollows are moist, wooded and hold snow; crests are bare.
vec4 drained(vec4 grain, float ridge) {
    vec4 calm = mix(grain, vec4(0.5), detailed * vec4(0.4, 0.6, 0.5, 0.3));
    return calm + ridge * vec4(-0.20, -0.30, 0.14, -0.34);
}

// What colours hold for: hollows are wet and see less sky. The noise in x is the lightness of the land as well.
float hollow_shade(float was, float is, float ridge) {
    return (0.72 + 0.56 * was) / (0.72 + 0.56 * is) * (1.0 + 0.18 * ridge);
}
