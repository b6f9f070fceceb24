// What grows and lies on the ground of a tile: see materials.glsl.

uniform sampler2D u_tile_patches;

// How far a place in the tile is inside a wood, and how light the pattern of its ground is, -0.5..0.5. `coarse`: 1 where the finest
// octave is too fine to be seen.
vec2 wood_and_pattern(vec2 at, float coarse) {
    vec4 both = textureLod(u_tile_patches, at, 0.0);
    vec2 found = mix(both.xz, both.yw, max(v_morph, coarse)) - 0.5;
    return found * vec2(2.0 * EDGE_RANGE, 1.0);
}

// The noise by which land is shaded gives way to the pattern: what is light is dry, stony and bare of snow.
vec4 patterned(vec4 grain, float pattern) {
    vec4 own = 0.5 + vec4(-0.40, -0.55, 0.5, 0.8) * pattern + vec4(0.20, 0.45, 0.35, 0.25) * (grain - 0.5);
    return mix(grain, own, detailed);
}
