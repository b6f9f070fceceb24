// Rivers as the sea's own water, a touch of ink in it when seen from afar; divides as fine lines.
#include "scatter.glsl"

in vec3 v_line;
in float v_reached;
flat in float v_kind;
in vec3 v_relative;
in vec3 v_up;
in vec3 v_sunlight;
in vec3 v_skylight;
in vec3 v_haze;
in vec3 v_clear;

uniform vec3 u_palette[8];
uniform vec3 u_printed_water;
uniform float u_ink;           // 0: water as it is, 1: the blue of an atlas
uniform float u_shown;         // of the lines of this draw, 0..1

layout(location = 0) out vec4 o_colour;

#include "sea.glsl"

void main() {
    float edge = (1.0 - abs(v_line.x)) * v_line.y;
    float cover = clamp(edge, 0.0, 1.0) * v_line.z * clamp(v_reached, 0.0, 1.0) * u_shown;
    if (cover < 0.004)
        discard;
#if LOOK == 1
    vec3 colour = v_kind < 0.5 ? pow(u_printed_water * 0.72, vec3(2.2)) : vec3(0.12, 0.04, 0.03);
    o_colour = vec4(colour, cover);
#elif LOOK == 2
    o_colour = vec4(v_kind < 0.5 ? u_palette[1] * 1.6 : vec3(0.5, 0.12, 0.08), cover);
#else
    vec3 up = normalize(v_up);
    float high = max(dot(up, u_sun), 0.0);
    vec3 light = v_sunlight * high + v_skylight;
    vec3 water = sea_light(u_palette[1] * 0.8, up, up, -normalize(v_relative), 60.0, v_sunlight, v_skylight);
    vec3 blue = vec3(0.030, 0.135, 0.300) * light * 0.42;
    vec3 divide = vec3(0.95, 0.80, 0.52) * (light * 0.30 + 0.06);
    vec3 colour = v_kind < 0.5 ? mix(water, blue, u_ink) : divide;
    o_colour = vec4(colour * v_clear + v_haze, cover);
#endif
}
