// Clouds and noise between two texels, for test_textures.py: red and green, from left to right.
uniform sampler2D u_clouds;
uniform sampler3D u_noise;
layout(location = 0) out vec4 o_colour;

void main() {
    float share = gl_FragCoord.x / 64.0;
    float clouds = texture(u_clouds, vec2(3.5 + share, 3.5) / 8.0).r;
    float noise = texture(u_noise, vec3(3.5 + share, 3.5, 3.5) / 32.0).r;
    o_colour = vec4(clouds, noise, 0.0, 1.0);
}
