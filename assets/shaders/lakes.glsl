// Lakes of carved land: the level of the water at the samples of each lake and its shores, far below the ground elsewhere, as
// demo/ground/standing_water.py finds it. They fill from their deepest places while u_filled comes.
uniform sampler2DArray u_lakes;
const float NO_LAKE = -1e5, EMPTY = 0.08;

// Metres above the sea of the water at texture coordinates among the samples.
float lake_level(vec3 at) {
    return u_filled > 0.0 ? textureLod(u_lakes, at, 0.0).r - (1.0 - u_filled) * EMPTY * u_relief_m : NO_LAKE;
}
