// The clouds of a planet: plasma projected along three axes and blended by direction, so there is no seam and no pole.
#ifndef PLANET_CLOUDS
#define PLANET_CLOUDS
uniform sampler2D u_clouds;
// The share of all light that the thickest clouds keep from the ground.
const float SHADOW = 0.60;

vec3 drifted(vec3 d) { return vec3(u_cloudy.y * d.x - u_cloudy.z * d.z, d.y, u_cloudy.z * d.x + u_cloudy.y * d.z); }

float plasma(vec3 d) {
    vec3 weight = d * d;
    weight *= weight;
    weight /= weight.x + weight.y + weight.z;
    float thick = texture(u_clouds, d.yz * 0.83).r * weight.x + texture(u_clouds, d.xz * 0.83 + 0.31).r * weight.y
                + texture(u_clouds, d.xy * 0.83 + 0.67).r * weight.z;
    // Leaves room for the finer noise that breaks up the plasma. Belts of rising air are cloudier than those of sinking air.
    float sine2 = d.y * d.y;
    return 0.66 * thick + 0.18 + 0.045 * min(1.0 - (13.0 - 22.0 * sine2) * sine2, 1.0);
}

// Thinner clouds also cover less; the thickest hide all that is behind them.
float covering(float thick) {
    return min(1.12 * smoothstep(0.65 - 0.13 * u_cloudy.x, 0.86, thick), 1.0) * smoothstep(0.0, 0.6, u_cloudy.x);
}

// How much of the sunlight clouds keep from the ground below `up`: their shadow moves away from the sun when it is low.
float cloud_shadow(vec3 up) { return covering(plasma(drifted(normalize(up + (u_sun - up * dot(u_sun, up)) * 0.016)))); }

float cloud_cover(vec3 direction) { return covering(plasma(drifted(direction))); }

// The light of the clouds where `sunlight` arrives; `cosine`: of the sun's zenith angle. They are white by day, red when the
// sun is low, and high clouds stay lit for a while after sunset.
vec3 cloud_light(vec3 sunlight, float cosine, float toward_sun) {
    return sunlight * ((0.08 + 0.15 * smoothstep(-0.10, 0.45, cosine)) * toward_sun) + sky_lamp(cosine) * 0.34;
}
#endif
