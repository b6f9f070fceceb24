// What grows and lies on the ground of a tile: see materials.glsl.

uniform sampler2D u_tile_ridges;
uniform sampler2D u_tile_patches;
// Half the range of what says how far a place is from the edge of a wood, as in materials.glsl.
const float EDGE_RANGE = 0.6;

// How far the place is inside a wood, and how light the pattern of its ground is, -0.5..0.5. `coarse`: 1 where the finest octave
// is too fine to be seen.
vec2 wood_and_pattern(float coarse) {
    vec4 both = texture(u_tile_patches, v_tile);
    vec2 found = mix(both.xz, both.yw, max(v_morph, coarse)) - 0.5;
    return found * vec2(2.0 * EDGE_RANGE, 1.0);
}

// From -1 in a hollow to 1 on a crest; 0 far away, where detail is not seen.
float ridge_or_hollow() {
    vec2 both = texture(u_tile_ridges, v_tile).rg;
    float lies = 2.0 * mix(both.x, both.y, v_morph) - 1.0;
    return detailed * lies * abs(lies);
}

// The noise by which land is shaded gives way to the pattern and to the lie of the land: hollows are moist and hold snow; crests
// are bare.
vec4 drained(vec4 grain, float ridge, float pattern) {
    vec4 own = 0.5 + vec4(0.55, -0.35, 0.5, 0.9) * pattern + vec4(0.20, 0.45, 0.35, 0.25) * (grain - 0.5);
    return mix(grain, own, detailed) + ridge * vec4(-0.20, -0.30, 0.14, -0.34);
}
