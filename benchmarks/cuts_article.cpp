// The loop of the article on random plane cuts, as a program of its own to measure against: for every cut, every vertex
// of a longitude-colatitude grid is placed by its angles, tested against the plane and moved.
//
// usage: cuts_article MERIDIANS CUTS; prints the seconds of the loop, then a checksum so that nothing is optimised away.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const double FULL_TURN = 6.283185307179586476925286766559;

struct Planet {
    int meridians, parallels;
    double datum, highest;
    std::vector<double> radius;

    Planet(int count, double start)
        : meridians(count), parallels(count / 2), datum(start), highest(start), radius(size_t(count) * (count / 2), start) {}

    double angle(int index) const { return FULL_TURN * (double(index) / double(meridians)); }

    void cut(int cuts) {
        for (int k = 0; k < cuts; k++) {
            const double nx = double(rand()) / double(RAND_MAX) - 0.5;
            const double ny = double(rand()) / double(RAND_MAX) - 0.5;
            const double nz = double(rand()) / double(RAND_MAX) - 0.5;
            for (int i = 0; i < meridians; i++)
                for (int j = 0; j < parallels; j++) {
                    const double x = std::cos(angle(i)) * std::sin(angle(j));
                    const double y = std::cos(angle(j));
                    const double z = std::sin(angle(i)) * std::sin(angle(j));
                    double &r = radius[size_t(i) * parallels + j];
                    if (nx * x + ny * y + nz * z >= 0)
                        r += 1e-3 * datum;
                    else
                        r -= 1e-3 * datum;
                    if (highest < r) highest = r;
                }
        }
    }
};

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    Planet planet(std::atoi(argv[1]), 20.0);
    srand(1);
    const auto start = std::chrono::steady_clock::now();
    planet.cut(std::atoi(argv[2]));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    double sum = 0.0;
    for (double r : planet.radius) sum += r;
    std::printf("%.6f %.9f\n", passed.count(), sum / planet.radius.size());
    return 0;
}
