// Glowing rings, lines and points that mark a growth at work. Positions are in metres from the eye.
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_colour;
layout(location = 2) in vec2 a_side;    // -1..1 across a ribbon, and 0; for a point, 0 and its size in pixels
out vec4 v_colour;
out float v_side;
flat out float v_point;                 // above 0 for points

void main() {
    gl_Position = u_view_projection * vec4(a_position, 1.0);
    gl_PointSize = max(a_side.y, 1.0);
    v_colour = a_colour;
    v_side = a_side.x;
    v_point = a_side.y;
}
