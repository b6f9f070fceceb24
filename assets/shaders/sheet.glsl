// The sphere as it unrolls to a flat sheet: the twin of demo/geometry/forms.py. The parallels and the meridian unbend together,
// from bend 1 (the sphere) to bend 0: an ellipse with evenly spaced parallels, cut open along one meridian.

struct Sheet {
    vec3 at;                   // metres from the eye
    vec3 east, north, up;      // east, north and up on the sheet, unit
};

// `angles`: colatitude and longitude in radians; `face`: the quarter to which the longitude belongs, so that the cut is clean.
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
