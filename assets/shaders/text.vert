// A rectangle of text, in pixels from the lower left corner.
layout(location = 0) in vec2 a_corner;
layout(location = 1) in vec2 a_uv;
out vec2 v_uv;

void main() {
    v_uv = a_uv;
    gl_Position = vec4(a_corner / u_picture * 2.0 - 1.0, 0.0, 1.0);
}
