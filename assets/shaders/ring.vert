// A planet's rings: a flat annulus.
layout(location = 0) in vec3 a_place;      // cosine and sine of the angle; 0 at the inner edge, 1 at the outer
out vec3 v_place;              // from the planet's centre, in planet radii
out vec3 v_relative;

void main() {
    // The strip is straight between its vertices, so it is drawn slightly too wide. The fragment shader cuts it to circles.
    float r = mix(u_ring.x * 0.995, u_ring.y * 1.005, a_place.z);
    v_place = (u_ring_right * a_place.x + u_ring_ahead * a_place.y) * r;
    v_relative = v_place * u_size - u_world_eye;
    gl_Position = u_view_projection * vec4(v_relative, 1.0);
}
