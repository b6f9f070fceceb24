// One triangle over the whole picture.
layout(location = 0) in vec2 a_corner;
out vec2 v_uv;
out vec3 v_ray;
uniform vec3 u_right;    // half the picture's width at distance 1, and so on: rays need no matrix
uniform vec3 u_up;
uniform vec3 u_forward;

void main() {
    v_uv = a_corner * 0.5 + 0.5;
    v_ray = u_forward + a_corner.x * u_right + a_corner.y * u_up;
    gl_Position = vec4(a_corner, 1.0, 1.0);
}
