// A moon: a square at infinity around its disc.
layout(location = 0) in vec2 a_corner;     // -1..1
out vec2 v_at;

void main() {
    v_at = a_corner * 1.04;
    gl_Position = (u_view_projection * vec4(u_moon + v_at.x * u_moon_right + v_at.y * u_moon_up, 0.0)).xyww;
}
