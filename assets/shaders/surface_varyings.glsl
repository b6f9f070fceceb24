// What the vertices of a surface hand to its pixels: HANDED is `out` or `in`. Where shading is deferred the first two are handed
// over, and each pixel finds out the others: HANDED is nothing to it.
#if TILES
HANDED vec2 v_tile;
HANDED float v_morph;
#endif
#if DEFERRED
#define SHADED
#define SHADED_FLAT
#else
#define SHADED HANDED
#define SHADED_FLAT flat HANDED
#endif
#if TILES
SHADED_FLAT vec4 v_box;         // the tile's first and last texels, as v_tile
SHADED_FLAT vec3 v_direction;   // of the patch's anchor: the frame of the tile's slopes
SHADED vec4 v_broad;            // noise coarser than any triangle with a tile
SHADED vec4 v_cover;            // as coarse: see cover.glsl
#endif
#if CONE
SHADED vec3 v_lean;             // added to a normal of the sphere, gives the normal of the current form
#endif
#if SHEET
SHADED vec3 v_place;            // direction on the sphere
SHADED vec3 v_east;             // east on the sheet, unit; v_north likewise
SHADED vec3 v_north;
#endif
#if TILES || DRY
SHADED float v_height;
#endif
#if LAKES
SHADED vec2 v_inland;           // metres: ground or bed above the sea; difference of the water level from the sea's
#endif
#if LEVELS
SHADED vec2 v_level;            // level of detail (0: a whole face); morph towards the next coarser level, 0..1
#endif
SHADED vec3 v_relative;         // metres from the eye
SHADED vec3 v_up;
SHADED vec3 v_texture;
SHADED vec3 v_sunlight;
SHADED vec3 v_skylight;
#if SPHERICAL
SHADED vec2 v_share;            // of sunlight and skylight: see horizon.glsl
#endif
SHADED vec3 v_haze;
SHADED vec3 v_clear;
#if CLOUDS && !FINE && !BELOW
SHADED float v_shadow;
#endif
