// The sphere on its way to a flat sheet and back: the twin of demo/geometry/forms.py. Every parallel and the meridian unbend
// together, from the bend 1, the sphere, to 0: an ellipse whose parallels are evenly spaced, cut open along one meridian.

struct Sheet {
    vec3 at;                   // metres from the eye
    vec3 east, north, up;      // where these point now, unit
};

// `angles`: colatitude and longitude; `face`: the quarter that the longitude is counted with, which keeps the cut clean.
Sheet unrolled(vec2 angles, float face, float height) {
    const float QUARTER = 1.5707963;
    float latitude = QUARTER - angles.x;
    float turn = mod(face - u_middle + 2.0, 4.0) - 2.0;
    float longitude = angles.y + (turn - face) * QUARTER;
    float bend = max(u_bend, 1e-3);
    float flat_ = latitude / QUARTER;
    float ring = mix(sqrt(max(1.0 - flat_ * flat_, 0.0)), cos(latitude), u_bend);
    float c = cos(bend * longitude), s = sin(bend * longitude), cl = cos(bend * latitude), sl = sin(bend * latitude);
    vec3 p = vec3(ring * s / bend, sl / bend, (ring * (c - 1.0) + cl - 1.0) / bend);
    vec3 right = normalize(u_sheet[0]), up = normalize(u_sheet[1]), front = normalize(u_sheet[2]);
    Sheet sheet;
    sheet.up = right * (cl * s) + up * sl + front * (cl * c);
    sheet.east = right * c - front * s;
    sheet.north = up * cl - (right * s + front * c) * sl;
    sheet.at = u_sheet[3] + u_sheet[0] * p.x + u_sheet[1] * p.y + u_sheet[2] * p.z + sheet.up * height;
    return sheet;
}
