// The map's lines on the planet's current form: rivers and divides, drawn as ribbons on the ground.
#include "atlas.glsl"
#include "scatter.glsl"
#include "forms.glsl"

layout(location = 0) in vec3 a_place;     // unit
layout(location = 1) in vec4 a_along;     // unit, perpendicular to a_place; the face, from 1, by FACES, below 0 on side -1
layout(location = 2) in float a_height;   // metres
layout(location = 3) in vec4 a_width;     // least half width in pixels, half width in metres, u_reached when shown, opacity (0..1)

out vec4 v_line;               // side, half width in pixels, coverage of a pixel (0..1), water's share of the width
out float v_shown;
out vec3 v_texture;            // texture coordinates among the samples
out vec3 v_relative;
out vec3 v_up;
out vec3 v_sunlight;
out vec3 v_skylight;
out vec3 v_haze;
out vec3 v_clear;

// Pulls lines towards the eye by a share of the distance: more than coarse triangles rise above the true ground.
const float PULL = 0.006;
// Lifts lines by a share of the distance. Seen at a grazing angle, rises of coarse triangles would cut them into dashes.
const float LIFT = 0.002;
// Width of both banks together, as a share of the river's width.
const float BANKS = 1.1;
const int GUTTER = 2;
// As in demo/geometry/strip_parts.py.
const float FACES = 8.0;

// The inverse of atlas_angles on the double cone, within the quarter to which the line belongs.
vec2 double_cone_uv(vec3 place, float face) {
    float k = parallel_of(place);
    float along = clamp(mod(atan(place.z, place.x) / (0.5 * PI) - face + 1.0, 4.0) - 1.0, 0.0, 1.0);
    return k <= 1.0 ? k * vec2(1.0 - along, along) : 1.0 - (2.0 - k) * vec2(along, 1.0 - along);
}

void main() {
    float across = a_along.w < 0.0 ? -1.0 : 1.0, face = floor(abs(a_along.w) * FACES - 0.5);
    vec3 way = normalize(a_along.xyz);
    vec2 uv = double_cone_uv(a_place, face);
    v_texture = vec3((uv * (u_samples - 1.0) + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), face);
    vec3 up, along;
    vec3 at = formed(a_place, face, a_height, way, up, along);
#if CONE
    vec3 unused, other;
    along = formed(normalize(a_place + way * 0.002), face, a_height, way, unused, other) - at;
#endif
    float away = length(at);
    float pixel = away * u_pixel;
    float least = a_width.x * u_bold * pixel;
    float true_ = max(least, a_width.y);
    // Banks need room only where the river is some pixels wide.
    float banks = 1.0 + BANKS * smoothstep(2.5, 6.0, a_width.y / pixel);
    float half_ = true_ * banks + 0.5 * pixel;
    vec3 side = normalize(cross(up, along));
    // At a grazing angle a ribbon would vanish, so its least width is measured across the line of sight.
    vec3 ray = at / away;
    vec3 facing = cross(ray, normalize(along));
    facing *= sign(dot(facing, side)) / max(length(facing), 1e-3);
    float flat_ = dot(side, facing);
    if (half_ * flat_ < least + 0.5 * pixel) {
        side = facing;
        half_ = least + 0.5 * pixel;
        true_ = max(least, true_ * flat_);
        banks = 1.0;
    }
    v_relative = at + side * half_ * across + up * (LIFT * away);
    v_line = vec4(across, half_ / pixel, min(2.2 * true_ / pixel, 1.0), 1.0 / banks);
    v_shown = a_width.w * clamp((u_reached - a_width.z) * 30.0, 0.0, 1.0) * u_shown;
    v_up = up;
    gl_Position = u_view_projection * vec4(v_relative * (1.0 - PULL), 1.0);

#if SHEET
    vec3 from_centre = up * u_size;
    float air = clamp(5.0 * u_bend - 4.0, 0.0, 1.0);
#else
    vec3 from_centre = u_eye + v_relative;
    float air = u_swell;
#endif
    float r = length(from_centre);
    float cosine = dot(from_centre, u_sun) / r;
    v_sunlight = u_sun_colour * sun_transmittance(r - u_air.x, cosine);
    v_skylight = sky_lamp(cosine);
    vec2 span = air_span(ray);
    span.y = min(span.y, away);
    v_haze = vec3(0.0);
    v_clear = vec3(1.0);
    if (air > 0.0 && span.y > span.x)
        haze(ray, span.x, span.y, u_eye_radius.x - u_air.x, r - u_air.x, v_haze, v_clear);
    v_haze *= air;
    v_clear = mix(vec3(1.0), v_clear, air);
}
