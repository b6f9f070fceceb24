// Copies a picture, texel by texel, into one of floats, for tests that read textures back.
uniform sampler2D u_picture;
layout(location = 0) out vec4 o_colour;

void main() { o_colour = texelFetch(u_picture, ivec2(gl_FragCoord.xy), 0); }
