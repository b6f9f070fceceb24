// The ground seen from near: grain whose size follows what a pixel spans, and foam along the shore.

const float NEAR_METRES = 65536.0;
// Pixels over which the noise of the finest grain repeats: one of them a texel, or a half where pictures are drawn at full size.
const float SPECK = FINE == 1 ? 15.0 : 28.0;
// How much of the contrast of one octave the sum of three has.
const float CONTRAST = 0.85;
// Texels of the noise along an edge. Pixels that one spans: too few to be held, and enough.
const float TEXELS = 32.0, FINEST = 0.25, HELD = 0.60;

// Noise whose size in the picture is nearly constant: three successive octaves, each fixed to the ground, of which the coarsest
// goes as the finest comes. `place`: metres from the eye; `pixel`: metres that one spans on the ground. A picture that is drawn
// smaller than its window has the octaves of the whole one, as far as its pixels can hold them: others would be another ground.
vec4 speckle(vec3 place, float pixel) {
    float size = clamp(log2(NEAR_METRES / (SPECK * u_share * pixel)), 2.0, 13.0);
    float k = floor(size), finer = size - k;
    vec3 at = (u_near + place / NEAR_METRES) * exp2(k - 1.0);
    vec3 texel = vec3(4.0, 2.0, 1.0) * (SPECK / TEXELS * u_share) * exp2(finer);
    vec3 held = vec3(1.0 - finer, 1.0, finer) * clamp((texel - FINEST) / (HELD - FINEST), 0.0, 1.0);
    vec4 sum = held.x * texture(u_noise, at * 0.5) + held.y * texture(u_noise, at) + held.z * texture(u_noise, at * 2.0);
    return 0.5 + CONTRAST * (sum - 0.5 * (held.x + held.y + held.z));
}

// Metres that a pixel spans across and along the line of sight.
vec2 footprint() {
#if DEFERRED
    vec3 beside = ground_beside_it, below = ground_above_it;
#else
    vec3 beside = dFdx(v_relative), below = dFdy(v_relative);
#endif
    vec2 found = vec2(dot(beside, beside), dot(below, below));
    return sqrt(vec2(min(found.x, found.y), max(found.x, found.y)));
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
