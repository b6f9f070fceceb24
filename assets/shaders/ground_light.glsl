// The light that falls on dry ground: of the sun, of the sky, and what sunlit ground around throws back. One rule for terrains
// and planets.

// The mean reflectance of ground in sunlight, a warm grey.
const vec3 SOIL = vec3(0.26, 0.20, 0.14);

// `n`: unit normal with all bumps; `up`: unit vertical; `plain`: the normal without bumps; `share`: of sun and sky that mountains
// let through; `afar`: 0 near the ground, 1 from orbit.
vec3 ground_light(vec3 n, vec3 plain, vec3 up, vec2 share, vec3 sunlight, vec3 skylight, float afar) {
    float height = dot(up, u_sun);
    float sun = max(dot(n, u_sun), 0.0) * smoothstep(-0.02, 0.06, height + 0.5 * dot(plain - up, u_sun));
    // The sky is brighter on the sun's side, which gives shape to shadowed ground.
    float sky = (0.5 + 0.5 * dot(n, up)) * (0.95 + 0.70 * dot(n - up, u_sun)) * share.y;
    // A photographer opens the shade: skylight counts more than it is, most under a low sun. It is also made less blue, or dusk
    // would turn rocks violet. From orbit the night side and the relief beside it stay dark.
    // After sunset shade is all there is, and dusk must look like dusk.
    float opened = mix((3.3 - smoothstep(0.03, 0.38, height)) * (0.72 + 0.28 * smoothstep(-0.09, 0.02, height)), 1.5, afar);
    vec3 fill = mix(skylight, vec3(dot(skylight, vec3(0.36))), 0.22 * (1.0 - afar)) * opened;
    // Slopes that the sky does not fill face other ground, and that is lit where the sun is up.
    vec3 bounce = SOIL * sunlight * (0.16 + 0.84 * clamp(1.0 - sky, 0.0, 1.0)) * clamp(0.06 + height, 0.0, 0.5);
    // What a low sun still hits has a warm rim beside shade so opened.
    float rim = 1.0 + 0.4 * (1.0 - afar) * (1.0 - smoothstep(0.03, 0.22, height));
    return sunlight * (rim * sun * share.x) + fill * sky + bounce * (1.0 - afar);
}
