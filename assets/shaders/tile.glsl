// Shared by the two passes that make a tile and by the surface that reads it.
// A tile holds the heights and normals of a patch in TEXELS x TEXELS cells, with a rim one texel wide.

// Half the range of what says how far a place is from the edge of a wood.
const float EDGE_RANGE = 0.6;

// Two unit vectors that form a frame with `up`, the same for every caller (T. Duff et al., 2017).
void tile_frame(vec3 up, out vec3 a, out vec3 b) {
    float s = up.z >= 0.0 ? 1.0 : -1.0;
    float k = -1.0 / (s + up.z), m = up.x * up.y * k;
    a = vec3(1.0 + s * up.x * up.x * k, s * m, -s * up.x);
    b = vec3(m, s + up.y * up.y * k, -up.y);
}
