// One triangle over the whole picture.
layout(location = 0) in vec2 a_corner;
// Nothing recedes here, which spares a software renderer a division a pixel.
noperspective out vec2 v_uv;

void main() {
    v_uv = a_corner * 0.5 + 0.5;
    gl_Position = vec4(a_corner, 1.0, 1.0);
}
