// Writes where a grid of places is on a form of the planet into a float picture, for the test that holds forms.glsl and
// sheet.glsl against forms.py. The block POINT is in that test.
#include "atlas.glsl"
noperspective in vec2 v_uv;
layout(location = 0) out vec4 o_colour;
#include "forms.glsl"

void main() {
    vec3 place = atlas_direction(ATLAS_DOUBLE_CONE, u_face, v_uv), up, along;
    vec3 at = formed(place, float(u_face), u_height, u_way - place * dot(u_way, place), up, along);
    vec3 found[7] = vec3[7](at, up, along, vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
#if SHEET
    Sheet sheet = unrolled(atlas_angles(ATLAS_DOUBLE_CONE, u_face, v_uv), float(u_face), u_height);
    found[3] = sheet.at;
    found[4] = sheet.up;
    found[5] = sheet.east;
    found[6] = sheet.north;
#elif CONE
    found[3] = double_cone_place(u_face, v_uv);
#endif
    o_colour = vec4(found[u_kind], 1.0);
}
