// The article's loop: for every vertex, octaves of simplex noise from a permutation table, scaled to the bounds.
// Usage: simplex CELLS ROUNDS SEED; prints the seconds of the fastest round and a checksum.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

static int perm[512];
static const float grad3[12][3] = {{1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {1, 0, 1}, {-1, 0, 1},
                                   {1, 0, -1}, {-1, 0, -1}, {0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1}};

static void seedTable(unsigned seed) {
    std::srand(seed);
    for (int i = 0; i < 256; ++i) perm[i] = i;
    for (int i = 0; i < 256; ++i) std::swap(perm[i], perm[std::rand() % 256]);
    for (int i = 0; i < 256; ++i) perm[256 + i] = perm[i];
}

static inline int fastFloor(float x) { return x > 0 ? (int)x : (int)x - 1; }

static inline float corner(int gradient, float x, float y, float z) {
    float t = 0.6f - x * x - y * y - z * z;
    if (t < 0) return 0;
    t *= t;
    return t * t * (grad3[gradient][0] * x + grad3[gradient][1] * y + grad3[gradient][2] * z);
}

static float rawNoise(float x, float y, float z) {
    const float F = 1.0f / 3.0f, G = 1.0f / 6.0f;
    float s = (x + y + z) * F;
    int i = fastFloor(x + s), j = fastFloor(y + s), k = fastFloor(z + s);
    float t = (i + j + k) * G;
    float x0 = x - (i - t), y0 = y - (j - t), z0 = z - (k - t);
    int i1, j1, k1, i2, j2, k2;
    if (x0 >= y0) {
        if (y0 >= z0) { i1 = 1; j1 = 0; k1 = 0; i2 = 1; j2 = 1; k2 = 0; }
        else if (x0 >= z0) { i1 = 1; j1 = 0; k1 = 0; i2 = 1; j2 = 0; k2 = 1; }
        else { i1 = 0; j1 = 0; k1 = 1; i2 = 1; j2 = 0; k2 = 1; }
    } else {
        if (y0 < z0) { i1 = 0; j1 = 0; k1 = 1; i2 = 0; j2 = 1; k2 = 1; }
        else if (x0 < z0) { i1 = 0; j1 = 1; k1 = 0; i2 = 0; j2 = 1; k2 = 1; }
        else { i1 = 0; j1 = 1; k1 = 0; i2 = 1; j2 = 1; k2 = 0; }
    }
    int a = i & 255, b = j & 255, c = k & 255;
    float n = corner(perm[a + perm[b + perm[c]]] % 12, x0, y0, z0);
    n += corner(perm[a + i1 + perm[b + j1 + perm[c + k1]]] % 12, x0 - i1 + G, y0 - j1 + G, z0 - k1 + G);
    n += corner(perm[a + i2 + perm[b + j2 + perm[c + k2]]] % 12, x0 - i2 + 2 * G, y0 - j2 + 2 * G, z0 - k2 + 2 * G);
    n += corner(perm[a + 1 + perm[b + 1 + perm[c + 1]]] % 12, x0 - 0.5f, y0 - 0.5f, z0 - 0.5f);
    return 32.0f * n;
}

static float scaledOctaves(float octaves, float persistence, float scale, float low, float high, float x, float y, float z) {
    float total = 0, frequency = scale, amplitude = 1, most = 0;
    for (int i = 0; i < octaves; ++i) {
        total += rawNoise(x * frequency, y * frequency, z * frequency) * amplitude;
        frequency *= 2;
        most += amplitude;
        amplitude *= persistence;
    }
    return total / most * (high - low) / 2 + (high + low) / 2;
}

int main(int argc, char **argv) {
    int n = std::atoi(argv[1]) + 1, rounds = std::atoi(argv[2]);
    seedTable(std::atoi(argv[3]));
    std::vector<float> heights(6 * (size_t)n * n);
    double best = 1e30, sum = 0;
    for (int round = 0; round < rounds; ++round) {
        auto start = std::chrono::steady_clock::now();
        size_t at = 0;
        for (int face = 0; face < 6; ++face)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    float s = 2.0f * i / (n - 1) - 1, t = 2.0f * j / (n - 1) - 1, side = face % 2 ? -1.0f : 1.0f;
                    float r = 1 / std::sqrt(1 + s * s + t * t);
                    float p[3] = {s * r, t * r, side * r};
                    int turn = face / 2;
                    heights[at++] = scaledOctaves(8, 0.6f, 1, -31, 24.5f, p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]);
                }
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = seconds < best ? seconds : best;
    }
    for (float h : heights) sum += h;
    std::printf("%.9f %.3f\n", best, sum);
}
