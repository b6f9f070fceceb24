// What grows and lies on the ground of a tile: see materials.glsl.

uniform sampler2D u_tile_patches;

// How far a place in the tile is inside a wood, and how light the pattern of its ground is, -0.5..0.5. `coarse`: 1 where the finest
// octave is too fine to be seen.
vec2 wood_and_pattern(vec2 at, float coarse) {
    vec4 both = textureLod(u_tile_patches, at, 0.0);
    vec2 found = mix(both.xz, both.yw, max(v_morph, coarse)) - 0.5;
    return found * vec2(2.0 * EDGE_RANGE, 1.0);
}

// Trees, bushes and stones stand on the ground of a tile, of which the mesh knows nothing: they are looked for in layers along the
// line of sight and along the sun's.
const int LAYERS = FINE == 1 ? 4 : 3;
const float TREE_M = 14.0;
// How far inside a wood trees are full-grown. Height of the roughness of open ground, in that of trees.
const float GROWN = 0.12, TUFTS = 0.16;

// How high what stands at a place is, in heights of a tree. `here`: of wood_and_pattern.
float top_of(vec2 here) { return mix(TUFTS, 1.0, clamp(here.x / GROWN + 0.3, 0.0, 1.0)) * clamp(0.65 + 2.0 * here.y, 0.25, 1.0); }

// `at`: the place in the tile whose tree, bush or stone is seen, or which is bare; `here`: of wood_and_pattern there; `layer`: how high
// it is met, in heights of a tree; `side`: how far below its top, 0..1.
struct Standing {
    vec2 at;
    vec2 here;
    float layer;
    float side;
};

// What the line of sight meets first. `high`: pixels that a tree is high in the picture.
Standing seen_first(float coarse, float high) {
    Standing found = Standing(v_tile, wood_and_pattern(v_tile, coarse), 0.0, 0.0);
    // What is nearer to the eye by this is drawn a pixel lower.
    vec2 nearer = -dFdy(v_tile);
    int layers = int(clamp(ceil(high - 0.5), 0.0, float(LAYERS)));
    // A loop that ends early: a software renderer works through both sides of a branch.
    for (int k = 1; k <= layers; ++k) {
        float layer = float(k) / float(layers);
        layer *= sqrt(layer);
        vec2 at = clamp(v_tile + nearer * (high * layer), v_box.xy, v_box.zw), here = wood_and_pattern(at, coarse);
        float top = top_of(here), hit = clamp((top - layer) * 6.0 + 0.5, 0.0, 1.0);
        found.at = hit > 0.5 ? at : found.at;
        found.here = mix(found.here, here, hit);
        found.layer = mix(found.layer, layer, hit);
        found.side = mix(found.side, clamp(1.0 - layer / top, 0.0, 1.0), hit);
    }
    return found;
}

#if FINE
const int SHADOWS = 3;
// How much of the sun a tree's crown keeps off.
const float DENSE = 0.7;

// The way in the tile that a step of so many metres along the ground is.
vec2 in_tile(vec3 step_) {
    vec3 x = dFdx(v_relative), y = dFdy(v_relative);
    float xx = dot(x, x), xy = dot(x, y), yy = dot(y, y), rx = dot(x, step_), ry = dot(y, step_);
    vec2 by = vec2(yy * rx - xy * ry, xx * ry - xy * rx) / max(xx * yy - xy * xy, 1e-9 * xx * yy);
    return dFdx(v_tile) * by.x + dFdy(v_tile) * by.y;
}

// How much of the sun trees let through. `sunward`: metres along the ground over which the sun's rays rise by a tree's height.
float sun_let_through(Standing seen, float coarse, vec3 sunward) {
    vec2 step_ = in_tile(sunward);
    float shadow = 0.0;
    for (int k = 1; k <= SHADOWS; ++k) {
        float rise = (float(k) - 0.4) / float(SHADOWS);
        float top = top_of(wood_and_pattern(clamp(seen.at + step_ * rise, v_box.xy, v_box.zw), coarse));
        shadow = max(shadow, clamp((top - seen.layer - rise) * 5.0, 0.0, 1.0));
    }
    return 1.0 - DENSE * shadow;
}
#endif

// The noise by which land is shaded gives way to the pattern: what is light is dry, stony and bare of snow.
vec4 patterned(vec4 grain, float pattern) {
    vec4 own = 0.5 + vec4(-0.40, -0.55, 0.5, 0.8) * pattern + vec4(0.20, 0.45, 0.35, 0.25) * (grain - 0.5);
    return mix(grain, own, detailed);
}
