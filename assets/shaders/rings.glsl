// Colour and opacity of a planet's rings at `r` radii from its centre, averaged over `wide` radii.
uniform sampler2D u_bands;

vec4 bands(float r, float wide) {
    float x = (r - u_ring.x) / (u_ring.y - u_ring.x), step_ = wide / (u_ring.y - u_ring.x) / 3.0;
    vec4 sum = texture(u_bands, vec2(x - step_, 0.5)) + texture(u_bands, vec2(x, 0.5)) + texture(u_bands, vec2(x + step_, 0.5));
    sum.a *= smoothstep(-step_ - 1e-4, step_ + 1e-4, x) * smoothstep(1.0 + step_ + 1e-4, 1.0 - step_ - 1e-4, x);
    return sum / 3.0 * vec4(1.0, 1.0, 1.0, u_ring_shown);
}

// The share of sunlight that passes the rings. `place`: in radii from the planet's centre; `sun`: unit vector towards the sun.
float ring_shade(vec3 place, vec3 sun) {
    float rise = dot(sun, u_ring_axis);
    float way = -dot(place, u_ring_axis) / (abs(rise) < 1e-4 ? 1e-4 : rise);
    float r = length(place + sun * way);
    return 1.0 - (way > 0.0 ? 0.85 * bands(r, 0.02 / max(abs(rise), 0.05)).a : 0.0);
}
