// Develops linear light into a picture: exposure, film curve, sRGB and dither against banding. KEEP: stores the square roots
// of a scene that is about to melt away. MELT: the kept scene melts into this one. SHARP: it may be enlarged.
noperspective in vec2 v_uv;
uniform sampler2D u_scene;
uniform sampler2D u_kept;
uniform sampler3D u_noise;
layout(location = 0) out vec4 o_colour;

// A film curve in the form of K. Narkowicz's fit of ACES (2015). Its toe is longer, so that shade keeps its shapes, and its
// shoulder reaches white only in the limit, so that no highlight clips.
vec3 film(vec3 x) { return x * (2.5 * x + 0.07) / (x * (2.5 * x + 0.65) + 0.15); }

// Square roots approximate the power 1/2.4 within 0.0012 (I. Taylor, 2012), at a third of the cost on a software renderer.
vec3 srgb(vec3 x) {
    vec3 a = sqrt(x), b = sqrt(a);
    return mix(12.92 * x, 0.585122381 * a + 0.783140355 * b - 0.368262736 * sqrt(b), step(0.0031308, x));
}

#if SHARP
// An unsharp mask makes up for the blur of enlarging. Beyond what is beside it a pixel goes by a share of the local range
// and of the local light at most, or ridges would have halos.
const float BEYOND_RANGE = 0.25, BEYOND_LIGHT = 0.15;

vec3 scene(ivec2 at) { return texelFetch(u_scene, clamp(at, ivec2(0), ivec2(u_last)), 0).rgb; }

vec3 sharpened(ivec2 at) {
    vec3 here = scene(at);
    vec3 a = scene(at - ivec2(1, 0)), b = scene(at + ivec2(1, 0)), c = scene(at - ivec2(0, 1)), d = scene(at + ivec2(0, 1));
    vec3 low = min(here, min(min(a, b), min(c, d))), high = max(here, max(max(a, b), max(c, d)));
    vec3 range = BEYOND_RANGE * (high - low);
    vec3 found = here + u_sharpened * (here - 0.25 * (a + b + c + d));
    return clamp(found, low - min(range, BEYOND_LIGHT * low), high + min(range, BEYOND_LIGHT * high));
}
#endif

// The developed light of this pixel.
vec3 developed() {
#if SHARP
    vec3 light = sharpened(ivec2(gl_FragCoord.xy)) * u_exposure;
#else
    vec3 light = texelFetch(u_scene, ivec2(gl_FragCoord.xy), 0).rgb * u_exposure;
#endif
    return u_linear == 1 ? clamp(light, 0.0, 1.0) : film(light);
}

// Interleaved gradient noise (J. Jimenez, 2014), shifted per channel. The difference of two has a triangular distribution.
float grain(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }

void main() {
    vec3 colour = developed();
#if KEEP
    o_colour = vec4(sqrt(colour), 1.0);
#else
#if MELT
    // Each place melts at its own moment and sinks a little as it goes.
    float when = 0.65 * texture(u_noise, vec3(v_uv * vec2(0.22, 0.13), 0.37)).x + 0.35 * texture(u_noise, vec3(v_uv * 0.6, 0.71)).y;
    float w = smoothstep(0.0, 1.0, clamp((u_melt * 1.9 - when * 0.9), 0.0, 1.0));
    vec2 sunk = v_uv + vec2(0.0, 0.05 * w * (0.4 + when));
    vec3 kept = texture(u_kept, min(sunk * u_extent.xy, u_extent.zw)).rgb;
    colour = mix(kept * kept, colour, w);
#endif
    vec3 noise = fract(grain(gl_FragCoord.xy) + vec3(0.0, 0.37, 0.71)) - fract(grain(gl_FragCoord.xy + 73.0) + vec3(0.0, 0.59, 0.23));
    o_colour = vec4(srgb(colour) + noise * (0.75 / 255.0), 1.0);
#endif
}
