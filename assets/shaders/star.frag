// A disc that is round in pixels: it fades to nothing before its square ends.
in vec3 v_colour;
in float v_pixels;
layout(location = 0) out vec4 o_colour;

void main() {
    vec2 p = (gl_PointCoord - 0.5) * (2.0 * v_pixels + 1.0) / v_pixels;
    o_colour = vec4(v_colour * max(exp(-dot(p, p) * 4.5) - 0.011, 0.0), 0.0);
}
