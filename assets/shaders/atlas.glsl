// The twin of demo/worlds/atlas.py: the point in space of a face's (u, v). Codes: 0 plane, 1 latlong, 2 double cone, 3 cube,
// 4 double cone by areas.

const float PI = 3.14159265358979;
const int ATLAS_PLANE = 0, ATLAS_LATLONG = 1, ATLAS_DOUBLE_CONE = 2, ATLAS_CUBE = 3, ATLAS_EVEN_CONE = 4;

const vec3 CUBE_CENTRE[6] = vec3[6](vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1));
const vec3 CUBE_RIGHT[6] = vec3[6](vec3(0, 0, -1), vec3(0, 0, 1), vec3(1, 0, 0), vec3(1, 0, 0), vec3(1, 0, 0), vec3(-1, 0, 0));
const vec3 CUBE_DOWN[6] = vec3[6](vec3(0, -1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1), vec3(0, -1, 0), vec3(0, -1, 0));

vec3 cube_point(int face, vec2 uv) {
    return CUBE_CENTRE[face] + (2.0 * uv.x - 1.0) * CUBE_RIGHT[face] + (2.0 * uv.y - 1.0) * CUBE_DOWN[face];
}

// Returns (colatitude in radians, longitude within the face as a fraction of a quarter turn).
vec2 double_cone_coordinates(vec2 uv) {
    float k = uv.x + uv.y;
    bool north = k <= 1.0;
    float length_ = north ? k : 2.0 - k;
    float along = north ? uv.y : 1.0 - uv.x;
    return vec2(0.5 * PI * clamp(k, 0.0, 2.0), length_ > 1e-6 ? along / length_ : 0.5);
}

// (sine, cosine) of the colatitude of the parallel k on the double cone by areas: see even_sine_cosine in atlas.py.
vec2 even_sine_cosine(float k) {
    float from_pole = min(k, 2.0 - k), square = from_pole * from_pole;
    return vec2(from_pole * sqrt(2.0 - square), k <= 1.0 ? 1.0 - square : square - 1.0);
}

// Their differences from the parallel k0 to k = k0 + dk, without the difference of two near numbers.
vec2 even_differences(float k0, float k, float dk) {
    float a = min(k0, 2.0 - k0), b = min(k, 2.0 - k), sum = a + b;
    bool north = k0 <= 1.0, across = north != (k <= 1.0);
    float step_ = across ? b - a : north ? dk : -dk;
    float sines = max(even_sine_cosine(k0).x + even_sine_cosine(k).x, 1e-9);
    float cosine = across ? (1.0 - a) * (1.0 + a) + (1.0 - b) * (1.0 + b) : step_ * sum;
    return vec2(step_ * sum * (2.0 - a * a - b * b) / sines, north ? -cosine : cosine);
}

// Returns (colatitude, longitude) in radians.
vec2 atlas_angles(int atlas, int face, vec2 uv) {
    if (atlas == ATLAS_LATLONG)
        return vec2(PI * uv.y, PI * (float(face) + uv.x));
    vec2 c = double_cone_coordinates(uv);
    if (atlas == ATLAS_EVEN_CONE) {
        vec2 at = even_sine_cosine(clamp(uv.x + uv.y, 0.0, 2.0));
        c.x = atan(at.x, at.y);
    }
    return vec2(c.x, 0.5 * PI * (float(face) + c.y));
}

vec3 atlas_direction(int atlas, int face, vec2 uv) {
    if (atlas == ATLAS_CUBE)
        return normalize(cube_point(face, uv));
    vec2 a = atlas_angles(atlas, face, uv);
    vec2 c = atlas == ATLAS_EVEN_CONE ? even_sine_cosine(clamp(uv.x + uv.y, 0.0, 2.0)) : vec2(sin(a.x), cos(a.x));
    return vec3(cos(a.y) * c.x, c.y, sin(a.y) * c.x);
}

// The shape that gives the double cone its name: two cones of slant length pi/2, joined at an equator of radius 1.
vec3 double_cone_place(int face, vec2 uv) {
    vec2 c = double_cone_coordinates(uv);
    float longitude = 0.5 * PI * (float(face) + c.y);
    float radius = 1.0 - abs(c.x / (0.5 * PI) - 1.0);
    float y = (c.x <= 0.5 * PI ? 1.0 : -1.0) * (1.0 - radius) * 1.2113596;
    return vec3(radius * cos(longitude), y, radius * sin(longitude));
}

vec3 atlas_place(int atlas, int face, vec2 uv, float height) {
    if (atlas == ATLAS_PLANE)
        return vec3(uv.x - 0.5, height, uv.y - 0.5);
    return atlas_direction(atlas, face, uv) * (1.0 + height);
}

// Sines of at most an eighth of a turn, exact relative to themselves: graphics cards' own are so only relative to 1.
vec2 small_sine(vec2 x) {
    vec2 square = x * x;
    return x * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))));
}

// The offset of (anchor + duv) from `anchor`. Subtracting two places would cancel digits; this keeps single precision
// relative to the size of a patch, not of a planet. Heights are 0; lengths are in radii, or in extents on the plane.
vec3 atlas_offset(int atlas, int face, vec2 anchor, vec2 duv) {
    if (atlas == ATLAS_PLANE)
        return vec3(duv.x, 0.0, duv.y);
    if (atlas == ATLAS_CUBE) {
        vec3 a = cube_point(face, anchor);
        float inverse_length = inversesqrt(dot(a, a));
        vec3 n = a * inverse_length;
        vec3 d = (2.0 * duv.x * CUBE_RIGHT[face] + 2.0 * duv.y * CUBE_DOWN[face]) * inverse_length;
        float s = 2.0 * dot(n, d) + dot(d, d);
        float len = sqrt(1.0 + s);
        return (d - n * (s / (len + 1.0))) / len;
    }
    vec2 a = atlas_angles(atlas, face, anchor);
    vec2 da;
    if (atlas == ATLAS_LATLONG) {
        da = PI * vec2(duv.y, duv.x);
    } else {
        vec2 uv = anchor + duv;
        float k0 = anchor.x + anchor.y, k = uv.x + uv.y;
        float dk = duv.x + duv.y;
        float fraction;
        if (k0 <= 1.0 && k <= 1.0 && k > 1e-6)
            fraction = (duv.y * k0 - anchor.y * dk) / (k * k0);
        else if (k0 > 1.0 && k > 1.0 && k < 2.0 - 1e-6)
            fraction = (-duv.x * (2.0 - k0) + (1.0 - anchor.x) * dk) / ((2.0 - k) * (2.0 - k0));
        else
            fraction = double_cone_coordinates(uv).y - double_cone_coordinates(anchor).y;
        da = 0.5 * PI * vec2(dk, fraction);
    }
    vec2 middle = a + 0.5 * da, h = small_sine(0.5 * da);
    float sin_a = sin(a.x), dsin_c = 2.0 * cos(middle.x) * h.x, dcos_c = -2.0 * sin(middle.x) * h.x;
    if (atlas == ATLAS_EVEN_CONE) {
        float k0 = anchor.x + anchor.y, dk = duv.x + duv.y;
        vec2 steps = even_differences(k0, k0 + dk, dk);
        sin_a = even_sine_cosine(k0).x;
        dsin_c = steps.x;
        dcos_c = steps.y;
    }
    float dcos_l = -2.0 * sin(middle.y) * h.y, dsin_l = 2.0 * cos(middle.y) * h.y;
    float sin_c = sin_a + dsin_c;
    return vec3(dcos_l * sin_c + cos(a.y) * dsin_c, dcos_c, dsin_l * sin_c + sin(a.y) * dsin_c);
}
