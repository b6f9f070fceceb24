// A star: a point at infinity, drawn as a small soft disc so that it does not flicker when the camera turns.
layout(location = 0) in vec3 a_direction;
layout(location = 1) in vec3 a_colour;
out vec3 v_colour;

void main() {
    gl_Position = (u_view_projection * vec4(a_direction, 0.0)).xyww;
    float bright = max(max(a_colour.r, a_colour.g), a_colour.b);
    gl_PointSize = u_star_pixels * (1.0 + 0.9 * sqrt(bright));
    float horizon = -sqrt(max(u_eye_radius.x * u_eye_radius.x - u_air.x * u_air.x, 0.0));
    float above = (dot(u_eye, a_direction) - horizon) / u_eye_radius.x;
    v_colour = a_colour * u_stars * mix(1.0, smoothstep(0.0, 0.10, above), u_sea);
}
