// The heights of the samples.
uniform sampler2DArray u_heights_a;
#if MIXED
uniform sampler2DArray u_heights_b;
#endif

float bilinear(sampler2DArray heights, ivec2 base, vec2 f, int face) {
    // Weighted here: the sampler's weights have only eight bits, which makes steps where a patch is finer than the samples.
    float a = texelFetch(heights, ivec3(base, face), 0).r;
    float b = texelFetch(heights, ivec3(base + ivec2(1, 0), face), 0).r;
    float c = texelFetch(heights, ivec3(base + ivec2(0, 1), face), 0).r;
    float d = texelFetch(heights, ivec3(base + ivec2(1, 1), face), 0).r;
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

// The height that is drawn where sets a and b have these.
float drawn(float a, float b) {
#if LOOK == 1
    a *= u_raised.x;
#endif
#if MIXED
#if LOOK == 1
    b *= u_raised.y;
#endif
    a = mix(a, b, u_mix) - u_sunk;
#endif
    return a;
}

// The height that is drawn, and the one of the last set, which tiles are made from.
vec2 heights_at(vec2 uv, int face) {
    vec2 p = clamp(uv, 0.0, 1.0) * (u_samples - 1.0);
    vec2 whole = min(floor(p), vec2(u_samples - 2.0));
    ivec2 base = ivec2(whole) + int(GUTTER);
    float a = bilinear(u_heights_a, base, p - whole, face), b = a;
#if MIXED
    b = bilinear(u_heights_b, base, p - whole, face);
#endif
    return vec2(drawn(a, b), b);
}

float height_at(vec2 uv, int face) { return heights_at(uv, face).x; }
