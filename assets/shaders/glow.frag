in vec4 v_colour;
in float v_side;
flat in float v_point;
layout(location = 0) out vec4 o_colour;

void main() {
    float fade = exp(-4.0 * v_side * v_side);
    if (v_point > 0.0) {
        vec2 p = gl_PointCoord * 2.0 - 1.0;
        fade = exp(-3.0 * dot(p, p));
    }
    o_colour = vec4(v_colour.rgb * v_colour.a * fade, 0.0);
}
