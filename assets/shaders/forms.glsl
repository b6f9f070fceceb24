// The planet's form; the default is the sphere. CONE: between the double cone and the sphere. SHEET: between the sphere and a
// flat sheet. The twin of demo/geometry/forms.py. Include it after atlas.glsl and a declaration of u_eye.
#if SHEET
#include "sheet.glsl"
#endif

// The parallel of the double cone on which `place` (unit) lies, 0..2 from the north pole on. EVEN: areas are kept.
float parallel_of(vec3 place) {
#if defined(EVEN) && EVEN
    float from_pole = length(place.xz) / sqrt(1.0 + abs(place.y));
    return place.y >= 0.0 ? from_pole : 2.0 - from_pole;
#else
    return atan(length(place.xz), place.y) / (0.5 * PI);
#endif
}

// Returns the position of `place` (unit) on the current form, in metres from the eye. `height`: metres; `way`: a direction on
// the sphere; `face`: the quarter to which the place belongs; `up`, `along`: the vertical and `way` on the form.
vec3 formed(vec3 place, float face, float height, vec3 way, out vec3 up, out vec3 along) {
#if SHEET
    vec2 angles = vec2(atan(length(place.xz), place.y), atan(place.z, place.x));
    float centre = (face + 0.5) * 0.5 * PI;
    angles.y = centre + mod(angles.y - centre + PI, 2.0 * PI) - PI;
    Sheet sheet = unrolled(angles, face, height);
    up = sheet.up;
    vec3 east = normalize(vec3(-place.z, 0.0, place.x) + vec3(1e-6, 0.0, 0.0));
    along = dot(way, east) * sheet.east + dot(way, cross(east, place)) * sheet.north;
    return sheet.at;
#else
    up = place;
    along = way;
    vec3 sphere = place * (u_size + height) - u_eye;
#if CONE
    float radius = 1.0 - abs(parallel_of(place) - 1.0);
    float ring = max(length(place.xz), 1e-6);
    vec3 form = vec3(radius * place.x / ring, sign(place.y) * (1.0 - radius) * 1.2113596, radius * place.z / ring);
    up = normalize(mix(normalize(vec3(form.x, max(radius, 1e-6) * 0.8255 * sign(form.y), form.z)), place, u_swell));
    return mix(form * (u_size + height) - u_eye, sphere, u_swell);
#else
    return sphere;
#endif
#endif
}
