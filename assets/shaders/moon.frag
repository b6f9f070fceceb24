// A moon's disc: a sphere lit by the sun, with dark plains and four sizes of craters, seen through the air.
#include "scatter.glsl"

in vec2 v_at;
uniform sampler3D u_noise;
layout(location = 0) out vec4 o_colour;

uint mixed(uvec3 cell) {
    uint x = cell.x * 0x9E3779B1u ^ cell.y * 0x85EBCA77u ^ cell.z * 0xC2B2AE3Du;
    x = (x ^ (x >> 15)) * 0x2C1B3C6Du;
    x = (x ^ (x >> 12)) * 0x297A2D39u;
    return x ^ (x >> 15);
}

// At most one crater per lattice cell, wholly inside it. Returns the tilt of the ground (xyz) and the brightness (w).
vec4 crater(vec3 n, float cells) {
    vec3 p = n * cells + u_moon_face * 64.0 + 64.0;
    vec3 cell = floor(p);
    uint h = mixed(uvec3(cell));
    vec3 centre = 0.3 + 0.4 * vec3(uvec3(h, h >> 8, h >> 16) & 255u) / 255.0;
    float radius = 0.10 + 0.19 * float((h >> 24) & 31u) / 31.0;
    vec3 away = p - cell - centre;
    float d = length(away) / radius;
    // A bowl with a raised rim: the ground slopes inwards inside the rim and outwards beyond it.
    float slope = (h >> 29) < 5u ? (smoothstep(0.15, 0.8, d) - 2.0 * smoothstep(0.8, 1.05, d) + smoothstep(1.05, 1.45, d)) : 0.0;
    return vec4(-away / max(length(away), 1e-4) * slope, slope);
}

void main() {
    float r2 = dot(v_at, v_at);
    float edge = fwidth(v_at.x) * 2.0;
    float cover = smoothstep(1.0, 1.0 - edge, sqrt(r2)) * u_shown;
    vec3 right = normalize(u_moon_right), up = normalize(u_moon_up);
    vec3 n = right * v_at.x + up * v_at.y - u_moon * sqrt(max(1.0 - r2, 0.0));
    vec3 at = n + u_moon_face * 4.0;
    vec4 broad = texture(u_noise, at * 0.09), fine = texture(u_noise, at * 0.42);
    float plains = smoothstep(0.42, 0.58, 0.75 * broad.x + 0.25 * fine.x);
    vec4 bumps = 0.8 * crater(n, 2.3) + 0.6 * crater(n.yzx, 4.9).zxyw + 0.5 * crater(n, 9.7) + 0.4 * crater(n.zxy, 19.0).yzxw;
    vec3 tilted = normalize(n + bumps.xyz * mix(0.5, 0.25, plains) + (fine.xyz - 0.5) * 0.35);
    float albedo = mix(0.40, 0.20, plains) * (0.8 + 0.4 * fine.w) * (1.0 + 0.10 * bumps.w);
    // Dust reflects light back towards its source, so a full moon is bright up to its edge.
    float lit = pow(max(dot(tilted, u_sun), 0.0), 0.7) * smoothstep(-0.04, 0.12, dot(n, u_sun));
    vec3 moon = albedo * (u_sun_colour * lit * 0.32 + vec3(0.006, 0.008, 0.012)) * vec3(1.0, 0.97, 0.92);
    vec3 ray = normalize(u_moon + v_at.x * u_moon_right + v_at.y * u_moon_up);
    vec3 light, left;
    sky(ray, light, left);
    // At night the moon hides the stars behind it. By day its dark side shows only the air in front.
    o_colour = vec4((moon * left + (light + sun_glow(dot(ray, u_sun))) * u_stars) * cover, cover * u_stars);
}
