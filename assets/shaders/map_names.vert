// The rectangle of one name, in pixels from the picture's lower left corner.
layout(location = 0) in vec2 a_corner;   // 0..1
layout(location = 1) in vec4 a_place;    // lower left corner, width and height, in pixels
layout(location = 2) in vec2 a_texel;    // the name's first texel in the sheet, whose rows run downwards
layout(location = 3) in float a_alpha;

out vec2 v_texel;
flat out float v_alpha;

void main() {
    v_texel = a_texel + vec2(a_corner.x, 1.0 - a_corner.y) * a_place.zw;
    v_alpha = a_alpha;
    gl_Position = vec4((a_place.xy + a_corner * a_place.zw) / u_picture * 2.0 - 1.0, 0.0, 1.0);
}
