// The ground seen from near: grain whose size follows the distance, and foam along the shore.

const float NEAR_METRES = 65536.0;
// Period of the noise as a share of the distance: about two pixels a texel.
const float SPECK = 0.20;

// Noise whose size in the picture is nearly constant: a blend of two successive octaves, each fixed to the ground.
vec4 speckle(float away) {
    float size = clamp(log2(NEAR_METRES / (SPECK * away)), 0.0, 10.0);
    float k = floor(size);
    vec3 at = (u_near + v_relative / NEAR_METRES) * exp2(k);
    return mix(texture(u_noise, at), texture(u_noise, at * 2.0), size - k);
}

// Standing waves: tilts of the water's normal, from the noise.
vec3 ripples(vec4 speck) { return sin(speck.xyz * 15.0 + u_time * vec3(1.3, 1.1, 1.7)); }

// Breaking waves: two lines of foam along the shore that come and go, broken up by noise. `depth`, `away`: metres; `slope`: of the
// bed; `high`: 0 on still water, 1 where waves come in from open sea.
const float SURF_M = 30.0;          // how far from the shore waves of full height break where the bed is flat
float foam(float depth, float slope, float high, vec4 speck, float away) {
    // A shallow bed breaks waves far out, but never all over it.
    float broken = depth * max(1.0, 1.6 / (SURF_M * max(slope, 0.002)));
    float ragged = broken + 2.6 * high * (speck.x - 0.5);
    float run = 0.5 + 0.5 * sin(u_time * 0.7 + speck.y * 9.0 + depth * 0.4);
    float line = 1.0 - smoothstep(0.2 * high, (1.6 + 0.8 * run) * high + 0.02, ragged);
    float second = (1.0 - smoothstep(0.0, 0.9, abs(ragged - 3.6 - 1.4 * run))) * 0.45 * smoothstep(0.4, 0.65, speck.z) * high;
    return max(line, second) * smoothstep(0.02, 0.30, high) * (0.40 + 0.7 * smoothstep(0.38, 0.64, speck.w)) * (1.0 - smoothstep(1200.0, 6000.0, away));
}
