in vec2 v_uv;
uniform sampler2D u_text;
layout(location = 0) out vec4 o_colour;

void main() {
    vec4 texel = texture(u_text, v_uv);
    o_colour = texel * u_alpha;
}
