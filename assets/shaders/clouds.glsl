// The clouds of a planet: plasma seen from three sides, blended by the direction: no seam and no pole.
uniform sampler2D u_clouds;
uniform vec2 u_cloudy;          // how thick, and how far they have drifted in radians

float cloud_cover(vec3 direction) {
    float c = cos(u_cloudy.y), s = sin(u_cloudy.y);
    vec3 d = vec3(c * direction.x - s * direction.z, direction.y, s * direction.x + c * direction.z);
    vec3 weight = d * d;
    weight *= weight;
    weight /= weight.x + weight.y + weight.z;
    float thick = texture(u_clouds, d.yz * 0.83).r * weight.x + texture(u_clouds, d.xz * 0.83 + 0.31).r * weight.y
                + texture(u_clouds, d.xy * 0.83 + 0.67).r * weight.z;
    return smoothstep(0.57, 0.90, thick) * 0.85 * u_cloudy.x;
}
