// A star: a point at infinity, drawn as a small soft disc so that it does not flicker when the camera turns.
layout(location = 0) in vec3 a_direction;
layout(location = 1) in vec3 a_colour;
uniform mat4 u_view_projection;
uniform float u_pixel;         // point size of the faintest star
uniform float u_stars;
out vec3 v_colour;

void main() {
    gl_Position = (u_view_projection * vec4(a_direction, 0.0)).xyww;
    float bright = max(max(a_colour.r, a_colour.g), a_colour.b);
    gl_PointSize = u_pixel * (1.0 + 0.9 * sqrt(bright));
    v_colour = a_colour * u_stars;
}
