// What a tile's two passes share, and what the surface needs to read them.
// A tile is a patch's heights and normals in TEXELS x TEXELS cells, with a rim of one texel more.

// Two vectors that with `up` make a frame, the same wherever they are asked for (T. Duff et al., 2017).
void tile_frame(vec3 up, out vec3 a, out vec3 b) {
    float s = up.z >= 0.0 ? 1.0 : -1.0;
    float k = -1.0 / (s + up.z), m = up.x * up.y * k;
    a = vec3(1.0 + s * up.x * up.x * k, s * m, -s * up.x);
    b = vec3(m, s + up.y * up.y * k, -up.y);
}
