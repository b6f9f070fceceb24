// Trees, bushes and stones stand on the ground of a tile, of which the mesh knows nothing: they are looked for in layers along the
// line of sight and along the sun's.
const int LAYERS = FINE == 1 ? 4 : 2;
// Pixels of a tree's height from which on it is told apart: a software renderer pays for every layer.
const float TOLD_FROM = FINE == 1 ? 0.5 : 2.0;
// Metres of a tree's height where it is dry and where it is moist.
const vec2 TREE_M = vec2(6.0, 15.0);
// How far inside a wood trees are full-grown. Height of the roughness of open ground, in that of trees.
const float GROWN = 0.12, TUFTS = 0.16;

// How far below their tops trees are seen where the line of sight meets nothing above the ground.
const float FEET_SEEN = 0.6;

// How much of a place trees take, 0..1. `here`: of wood_and_pattern.
float grown(vec2 here) { return clamp(here.x / GROWN + 0.3, 0.0, 1.0); }

// How high what stands at a place is, in heights of a tree.
float top_of(vec2 here) { return mix(TUFTS, 1.0, grown(here)) * clamp(0.65 + 2.0 * here.y, 0.25, 1.0); }

// How much of heights is told in the picture, 0..1. `high`: pixels that a tree is high in it. A picture that is drawn smaller than
// its window counts those of the whole one.
float told_apart(float high) { return clamp(high / u_share - TOLD_FROM, 0.0, 1.0); }

// `at`: the place in the tile whose tree, bush or stone is seen, or which is bare; `here`: of wood_and_pattern there; `layer`: how high
// it is met, in heights of a tree; `side`: how far below its top, 0..1.
struct Standing {
    vec2 at;
    vec2 here;
    float layer;
    float side;
};

// What the line of sight meets first.
Standing seen_first(float coarse, float high) {
    vec2 own = wood_and_pattern(v_tile, coarse);
    // Where nothing nearer hides them, one sees between the feet of trees; from afar, their tops alone.
    float upright = told_apart(high);
    Standing found = Standing(v_tile, own, top_of(own) * (1.0 - upright), FEET_SEEN * grown(own) * upright);
    // What is nearer to the eye by this is drawn a pixel lower.
#if DEFERRED
    vec2 nearer = -tile_above_it;
#else
    vec2 nearer = -dFdy(v_tile);
#endif
    int layers = high / u_share > TOLD_FROM ? int(min(ceil(high / u_share - 0.5), float(LAYERS))) : 0;
    // A loop that ends early: a software renderer works through both sides of a branch.
    for (int k = 1; k <= layers; ++k) {
        // Closer together near the ground, of which most is bare; the uppermost is met in the tops of trees.
        float layer = float(k) / float(layers);
        layer *= 0.9 * sqrt(layer);
        vec2 at = clamp(v_tile + nearer * (high * layer), v_box.xy, v_box.zw), here = wood_and_pattern(at, coarse);
        float top = top_of(here), hit = clamp((top - layer) * 4.0 + 0.5, 0.0, 1.0);
        found.at = hit > 0.5 ? at : found.at;
        found.here = mix(found.here, here, hit);
        found.layer = mix(found.layer, layer, hit);
        found.side = mix(found.side, clamp(1.0 - layer / top, 0.0, 1.0), hit);
    }
    // Crowns are wide: only near their feet is it dark.
    found.side *= found.side;
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
