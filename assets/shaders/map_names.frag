in vec2 v_texel;
flat in float v_alpha;
uniform sampler2D u_sheet;
layout(location = 0) out vec4 o_colour;

void main() {
    o_colour = texelFetch(u_sheet, ivec2(v_texel), 0) * v_alpha;
}
