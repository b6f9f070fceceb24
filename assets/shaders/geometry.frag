// What deferred shading needs of the mesh: the place in the picture of tiles, the distance along the axis of view in metres, and
// the morph towards the next coarser level.
in vec2 v_tile;
in float v_morph;
layout(location = 0) out vec4 o_geometry;

void main() { o_geometry = vec4(v_tile, 1.0 / gl_FragCoord.w, v_morph); }
