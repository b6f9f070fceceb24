in vec3 v_colour;
in float v_flat;
layout(location = 0) out vec4 o_colour;

// A lamp is round. The glow over a town lies flat on the ground and is seen at an angle.
void main() {
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    p.y /= v_flat;
    o_colour = vec4(v_colour * max(exp(-dot(p, p) * 2.6) - 0.074, 0.0), 0.0);
}
