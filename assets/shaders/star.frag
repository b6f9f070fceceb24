in vec3 v_colour;
layout(location = 0) out vec4 o_colour;

void main() {
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    o_colour = vec4(v_colour * exp(-dot(p, p) * 2.6), 0.0);
}
