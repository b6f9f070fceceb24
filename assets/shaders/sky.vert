// One triangle over the whole picture, at the far plane, with the ray through each pixel.
layout(location = 0) in vec2 a_corner;
out vec3 v_ray;

void main() {
    v_ray = u_forward + a_corner.x * u_right + a_corner.y * u_up;
    gl_Position = vec4(a_corner, 1.0, 1.0);
}
