// Rivers and divides. Rivers look like the sea's water, with a touch of ink from afar and with banks from near. Divides are
// fine lines. CLOUDS: clouds may hide the lines.
#include "scatter.glsl"

in vec4 v_line;
in float v_shown;
in vec3 v_texture;
in vec3 v_relative;
in vec3 v_up;
in vec3 v_sunlight;
in vec3 v_skylight;
in vec3 v_haze;
in vec3 v_clear;

uniform sampler2DArray u_shade_a;   // normal, height above the local water level / u_height_scale
uniform sampler3D u_noise;

layout(location = 0) out vec4 o_colour;

#include "sea.glsl"
#include "shore.glsl"
#if CLOUDS
#include "cloud_layer.glsl"
#endif

void main() {
    float shown = v_line.z * v_shown;
    // A river ends at the shore of a lake or of the sea.
    if (u_divide == 0)
        shown *= smoothstep(-0.003, 0.0, standing_above(u_shade_a, v_texture, ragged_shore(u_shade_a, v_relative), u_height_scale) / u_relief_m);
    float from_middle = abs(v_line.x), water = clamp((1.0 - from_middle) * v_line.y, 0.0, 1.0), bank = 0.0;
    vec4 grain = vec4(0.5);
#if LOOK == 0
    if (v_line.w < 1.0) {
        // From near, shores are ragged, and sediment lies along the water.
        vec3 at = u_origin + v_relative / u_noise_metres;
        grain = 0.6 * texture(u_noise, at * 260.0) + 0.4 * texture(u_noise, at * 900.0);
        float shore = v_line.w * (1.0 + 2.2 * (1.0 - v_line.w) * (grain.x - 0.5));
        water = clamp((shore - from_middle) * v_line.y, 0.0, 1.0);
        bank = (1.0 - water) * (1.0 - smoothstep(shore, 0.62 + 0.76 * grain.y, from_middle)) * smoothstep(1.0, 0.7, v_line.w);
    }
#endif
    float cover = (water + 0.8 * bank) * shown;
    if (cover < 0.004)
        discard;
#if LOOK == 1
    vec3 colour = u_divide == 1 ? vec3(0.12, 0.04, 0.03) : pow(u_printed_water * 0.72, vec3(2.2));
    o_colour = vec4(colour, cover);
#elif LOOK == 2
    o_colour = vec4(u_divide == 1 ? vec3(0.5, 0.12, 0.08) : u_palette[1] * 1.6, cover);
#else
    vec3 up = normalize(v_up);
    float high = max(dot(up, u_sun), 0.0);
    vec3 light = v_sunlight * high + v_skylight;
    vec3 colour = vec3(0.95, 0.80, 0.52) * (light * 0.30 + 0.06);
    if (u_divide == 0) {
        // The same colour as lakes.
        vec3 body = 0.5 * u_palette[0] + 0.06 * u_palette[3] + 0.2 * u_palette[1];
        vec3 ripple = vec3(0.03) * (grain.yzw - 0.5);
        vec3 wet = sea_light(body, up, normalize(up + ripple), -normalize(v_relative), 60.0, v_sunlight, v_skylight);
        wet = mix(wet, vec3(0.030, 0.135, 0.300) * light * 0.42, u_ink);
        vec3 ground = mix(u_palette[3] * 0.75, mix(u_palette[2], u_palette[6], 0.5), smoothstep(0.50, 0.72, grain.w));
        colour = mix(ground * light / 3.14159 * (0.75 + 0.5 * grain.z), wet, water / max(water + 0.8 * bank, 1e-4));
    }
#if CLOUDS
    float away = length(v_relative);
    colour = clouded(colour, up, v_relative / away, away, v_sunlight, 0.5, cloud_shadow(up));
#endif
    o_colour = vec4(colour * v_clear + v_haze, cover);
#endif
}
