// The two passes that make a tile. NORMALS 0: heights in metres, with all of the tile's octaves (r) and with those of the next
// coarser level (g), and ridges and hollows with both. NORMALS 1: normals of both, as slopes in the tile's own frame, and woods
// and patches with both.
#include "atlas.glsl"
#include "tile.glsl"

flat in vec4 v_patch;
flat in vec4 v_part;
flat in vec3 v_whole;
flat in vec4 v_place;
flat in vec3 v_direction;
flat in vec3 v_near;

layout(location = 0) out vec4 o_colour;

const int GUTTER = 2;
uniform sampler2DArray u_heights_a;

vec4 cubic_weights(float f) {
    return vec4(f * (-0.5 + f * (1.0 - 0.5 * f)), 1.0 + f * f * (-2.5 + 1.5 * f), f * (0.5 + f * (2.0 - 1.5 * f)), f * f * (-0.5 + 0.5 * f));
}

vec4 cubic_slopes(float f) {
    return vec4(-0.5 + f * (2.0 - 1.5 * f), f * (-5.0 + 4.5 * f), 0.5 + f * (4.0 - 4.5 * f), f * (-1.0 + 1.5 * f));
}

// The offset of a texel from the tile's middle in u and v. Texels run from -1 to TEXELS + 1.
vec2 tile_offset(vec2 texel) { return (texel / float(TEXELS) - 0.5) * v_patch.w; }

vec2 tile_texel() { return floor(gl_FragCoord.xy) - v_place.xy - 1.0; }

#if NORMALS
#define MIXED 0
#if ATLAS == 0
#define SPHERICAL 0
#else
#define SPHERICAL 1
#endif
#include "cover.glsl"
#include "materials.glsl"
layout(location = 1) out vec4 o_patches;
uniform sampler2D u_tile_heights;
uniform sampler2D u_tile_ridges;
uniform sampler2DArray u_shade_a;

Ground ground_at(vec2 texel, vec2 uv) {
    vec3 offset = atlas_offset(ATLAS, int(v_patch.x), v_patch.yz, tile_offset(texel));
    Ground found;
    found.up = ATLAS == ATLAS_PLANE ? v_direction : normalize(v_direction + offset);
    found.near = v_near + offset * (u_size / NEAR_METRES);
    vec3 place = vec3((uv * (u_samples - 1.0) + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), v_patch.x);
    found.cover = ground_cover(place, found.up, texture(u_noise, found.near * REGION));
    found.shortest = u_length * exp2(1.0 - v_part.w);
    return found;
}

vec3 surface_point(vec2 texel, vec3 up, vec2 heights, int channel) {
    vec3 offset = atlas_offset(ATLAS, int(v_patch.x), v_patch.yz, tile_offset(texel));
    vec3 out_ = ATLAS == ATLAS_PLANE ? up : normalize(up + offset);
    return offset * u_size + out_ * max(channel == 0 ? heights.x : heights.y, 0.0);
}

vec2 slopes(vec3 normal, vec3 up, vec3 a, vec3 b) {
    return vec2(dot(normal, a), dot(normal, b)) / max(dot(normal, up), 0.05);
}

#if ATLAS != 0
vec3 smooth_point(vec2 at, vec3 up, float height) {
    vec3 offset = atlas_offset(ATLAS, int(v_patch.x), v_patch.yz, at - v_patch.yz);
    return offset * u_size + normalize(up + offset) * height;
}

// The correction of the slopes at a point on a face's border. It leads from the samples' smooth surface on this face's grid
// to the mean over all adjoining faces, which the samples' own normals hold.
vec2 joined(vec2 at, vec3 up, vec3 a, vec3 b) {
    vec2 p = at * (u_samples - 1.0), cell = floor(p), f = p - cell;
    ivec2 base = ivec2(cell) + GUTTER;
    vec4 wx = cubic_weights(f.x), wy = cubic_weights(f.y), sx = cubic_slopes(f.x), sy = cubic_slopes(f.y);
    vec3 height = vec3(0.0);
    for (int j = 0; j < 4; ++j) {
        vec4 row;
        for (int i = 0; i < 4; ++i)
            row[i] = texelFetch(u_heights_a, ivec3(base + ivec2(i - 1, j - 1), int(v_patch.x)), 0).r;
        height += vec3(wy[j] * dot(wx, row), wy[j] * dot(sx, row), sy[j] * dot(wx, row));
    }
    const float PART = 0.25;
    vec2 step_ = vec2(PART / (u_samples - 1.0), 0.0);
    vec3 along = smooth_point(at + step_, up, height.x + PART * height.y) - smooth_point(at - step_, up, height.x - PART * height.y);
    vec3 down = smooth_point(at + step_.yx, up, height.x + PART * height.z) - smooth_point(at - step_.yx, up, height.x - PART * height.z);
    vec3 normal = cross(down, along);
    normal *= sign(dot(normal, up));
    vec3 texture_at = vec3((p + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), v_patch.x);
    return (slopes(textureLod(u_shade_a, texture_at, 0.0).xyz, up, a, b) - slopes(normal, up, a, b)) * step(0.0, height.x);
}
#endif

void main() {
    vec2 texel = tile_texel();
    ivec2 here = ivec2(gl_FragCoord.xy), first = ivec2(v_place.xy), last = first + int(v_place.z) - 1;
    ivec2 low = max(here - 1, first), high = min(here + 1, last);
    vec2 left = texelFetch(u_tile_heights, ivec2(low.x, here.y), 0).rg, right = texelFetch(u_tile_heights, ivec2(high.x, here.y), 0).rg;
    vec2 above = texelFetch(u_tile_heights, ivec2(here.x, low.y), 0).rg, below = texelFetch(u_tile_heights, ivec2(here.x, high.y), 0).rg;
    vec3 up = v_direction, a, b;
    tile_frame(up, a, b);
    vec2 t0 = texel + vec2(low - here), t1 = texel + vec2(high - here);
    vec4 found = vec4(0.0);
    for (int channel = 0; channel < 2; ++channel) {
        vec3 along = surface_point(vec2(t1.x, texel.y), up, right, channel) - surface_point(vec2(t0.x, texel.y), up, left, channel);
        vec3 down = surface_point(vec2(texel.x, t1.y), up, below, channel) - surface_point(vec2(texel.x, t0.y), up, above, channel);
        vec3 normal = cross(down, along);
        vec3 vertical = ATLAS == ATLAS_PLANE ? up : normalize(up + atlas_offset(ATLAS, int(v_patch.x), v_patch.yz, tile_offset(texel)));
        // Faces differ in the handedness of u and v. At a pole a whole row is one point.
        float outward = dot(normal, vertical);
        normal = abs(outward) > 1e-4 * length(normal) ? normal * sign(outward) : vertical;
        vec2 s = slopes(normal, up, a, b);
        if (channel == 0) found.xy = s; else found.zw = s;
    }
    vec2 uv = v_patch.yz + tile_offset(texel);
#if ATLAS != 0
    // Within one sample of the border between faces. On the latitude and longitude grid, rows end at poles instead.
    vec2 inside = max(min(uv, 1.0 - uv), 0.0) * (u_samples - 1.0);
    if (ATLAS == ATLAS_LATLONG)
        inside.y = 1.0;
    float rim = min(inside.x, inside.y);
    // A loop of at most one turn: a software renderer works through both sides of a branch.
    for (int once = int(rim < 1.0); once > 0; --once) {
        vec2 border = clamp(uv, 0.0, 1.0);
        border = inside.x < inside.y ? vec2(step(0.5, uv.x), border.y) : vec2(border.x, step(0.5, uv.y));
        found += joined(border, up, a, b).xyxy * (1.0 - smoothstep(0.0, 1.0, rim));
    }
#endif
    Ground ground = ground_at(texel, uv);
    vec4 ridges = texelFetch(u_tile_ridges, here, 0);
    o_colour = found;
    vec3 samples_at = vec3((uv * (u_samples - 1.0) + float(GUTTER) + 0.5) / (u_samples + 2.0 * float(GUTTER)), v_patch.x);
    vec2 smooth_ = slopes(textureLod(u_shade_a, samples_at, 0.0).xyz, up, a, b);
    o_patches = materials(ground, texelFetch(u_tile_heights, here, 0).r, 2.0 * ridges.rg - 1.0, smooth_, up, a, b, o_colour);
    if (v_place.w > 0.5)
        o_colour.zw = smooth_;
}
#else
#include "detail.glsl"
layout(location = 1) out vec4 o_ridge;
uniform sampler2DArray u_rough;     // gradient of the samples, strength of the detail

#if KNOWN
// The twin of demo/ground/relief_blocks.py: the relief that is known beyond the samples.
uniform sampler2DArray u_block_numbers;
uniform sampler2D u_block_rises;    // blocks in rows; the levels of each below one another

// Metres above the smooth surface at p, in samples, with so many levels (x) and with one less (y).
vec2 known_rise(int face, vec2 p, int levels) {
    int cells = int(u_blocks.x), steps = int(u_blocks.y), most = int(u_blocks.z), along = int(u_blocks.w);
    int side = cells * steps + 3, last = cells * steps - 1;
    p = clamp(p, vec2(0.0), vec2(u_samples - 1.0));
    ivec2 part = min(ivec2(p) / cells, textureSize(u_block_numbers, 0).xy - 1);
    int number = int(texelFetch(u_block_numbers, ivec3(part, face), 0).r);
    if (number < 0)
        return vec2(0.0);
    vec2 local = (p - vec2(part * cells)) * float(steps), cell = clamp(floor(local), vec2(0.0), vec2(float(last)));
    vec4 wx = cubic_weights(local.x - cell.x), wy = cubic_weights(local.y - cell.y);
    vec2 found = vec2(0.0);
    for (int k = 0; k < 2; ++k) {
        int level = min(levels - k, most);
        if (level < 1)
            continue;
        if (k > 0 && levels > most) {
            found.y = found.x;
            continue;
        }
        ivec2 first = ivec2(number % along, number / along * most + level - 1) * side + ivec2(cell);
        float rise = 0.0;
        for (int b = 0; b < 4; ++b) {
            vec4 row;
            for (int a = 0; a < 4; ++a)
                row[a] = texelFetch(u_block_rises, first + ivec2(a, b), 0).r;
            rise += wy[b] * dot(wx, row);
        }
        found[k] = rise;
    }
    return found;
}
#endif

// How low the surface may be at two samples, from three rows of four around them: a little below the least of nine; and by how
// much (z, w), metres.
const float SLACK = 0.03, LEAST_ROOM_M = 1e-6;

vec4 floors(vec4 a, vec4 b, vec4 c) {
    vec4 low = min(min(a, b), c), high = max(max(a, b), c);
    vec2 least = min(vec2(min(low.y, low.z)), vec2(low.x, low.w)), most = max(vec2(max(high.y, high.z)), vec2(high.x, high.w));
    vec2 room = SLACK * (most - least);
    return vec4(least - room, room);
}

// How much of the way in which gullies run is that of the smooth surface itself. The rest is that of the samples' gradients,
// which take no part in its smallest bumps.
const float OWN = 0.6;
// How much steeper than them it may be.
const float STEEPER = 1.2;
// Where the tangents of a face span less than this share of their squares, it is taken for a pole.
const float POINTED = 1e-3;

// The gradient of what rises so much with u and v, metres, where `up` is the place on a sphere; or `other` at a pole, where a
// whole row is one point. The twin of `lead` in demo/ground/smooth_kernels.py.
vec3 gradient(int face, vec2 uv, vec3 up, vec2 rises, vec3 other) {
#if ATLAS == 0
    return vec3(rises.x, 0.0, rises.y) / u_size;
#else
#if ATLAS == 3
    float out_ = 2.0 * dot(up, CUBE_CENTRE[face]);
    vec3 along = out_ * (CUBE_RIGHT[face] - up * dot(up, CUBE_RIGHT[face]));
    vec3 down = out_ * (CUBE_DOWN[face] - up * dot(up, CUBE_DOWN[face]));
#else
    // Radians of colatitude (x) and of longitude (y) with u and with v.
#if ATLAS == 1
    const vec2 with_u = vec2(0.0, PI), with_v = vec2(PI, 0.0);
#else
    float k = uv.x + uv.y, from_pole = max(min(k, 2.0 - k), 1e-6), turn = 0.5 * PI / (from_pole * from_pole);
    float high = ATLAS == ATLAS_DOUBLE_CONE ? 0.5 * PI : 2.0 / sqrt(2.0 - from_pole * from_pole);
    vec2 wide = turn * (k <= 1.0 ? vec2(-uv.y, uv.x) : vec2(uv.y - 1.0, 1.0 - uv.x));
    vec2 with_u = vec2(high, wide.x), with_v = vec2(high, wide.y);
#endif
    float sine = max(length(up.xz), 1e-6);
    vec3 lower = vec3(up.x * up.y / sine, -sine, up.z * up.y / sine), east = vec3(-up.z, 0.0, up.x);
    vec3 along = with_u.x * lower + with_u.y * east, down = with_v.x * lower + with_v.y * east;
#endif
    float e = dot(along, along), f = dot(along, down), g = dot(down, down), area = e * g - f * f;
    vec2 by = vec2(g * rises.x - f * rises.y, e * rises.y - f * rises.x) / (max(area, 1e-9) * u_size);
    return area > POINTED * (e + g) * (e + g) ? along * by.x + down * by.y : other;
#endif
}

void main() {
    vec2 duv = tile_offset(tile_texel());
    int face = int(v_patch.x);
    // Cell and fraction are kept apart. A patch's middle is a dyadic fraction.
    vec2 p = (v_patch.yz + duv) * (u_samples - 1.0);
    vec2 cell = clamp(floor(p), vec2(-1.0), vec2(u_samples - 1.0)), f = p - cell;
    ivec2 base = ivec2(cell) + GUTTER;
    vec4 wx = cubic_weights(f.x), wy = cubic_weights(f.y);
    vec4 sx = cubic_slopes(f.x), sy = cubic_slopes(f.y);
    float smooth_ = 0.0;
    vec2 rises = vec2(0.0);
    vec4 rows[4];
    for (int b = 0; b < 4; ++b) {
        for (int a = 0; a < 4; ++a)
            rows[b][a] = texelFetch(u_heights_a, ivec3(base + ivec2(a - 1, b - 1), face), 0).r;
        smooth_ += wy[b] * dot(wx, rows[b]);
        rises += vec2(wy[b] * dot(sx, rows[b]), sy[b] * dot(wx, rows[b]));
    }
    // Not at the edges of faces, whose neighbours have other samples around.
    vec4 within = mix(floors(rows[0], rows[1], rows[2]), floors(rows[1], rows[2], rows[3]), f.y);
    vec2 held = mix(within.xz, within.yw, f.x);
    // Where it comes near its floor the surface bends, or it would meet the floor in a crease.
    float below = held.x - smooth_, room = max(held.y, LEAST_ROOM_M), nearing = clamp(below + room, 0.0, 2.0 * room);
    vec2 rim = clamp(min(p, u_samples - 1.0 - p), 0.0, 1.0);
    float lift = min(rim.x, rim.y) * (nearing * nearing / (4.0 * room) + max(below - room, 0.0));
    smooth_ += lift;
    float plain = mix(mix(rows[1].y, rows[1].z, f.x), mix(rows[2].y, rows[2].z, f.x), f.y);

    vec2 q = clamp(p, vec2(0.0), vec2(u_samples - 1.0));
    vec2 at = min(floor(q), vec2(u_samples - 2.0));
    vec2 g = q - at, bent = g * g * (3.0 - 2.0 * g);
    ivec2 r = ivec2(at);
    vec4 a = texelFetch(u_rough, ivec3(r, face), 0), b = texelFetch(u_rough, ivec3(r + ivec2(1, 0), face), 0);
    vec4 c = texelFetch(u_rough, ivec3(r + ivec2(0, 1), face), 0), d = texelFetch(u_rough, ivec3(r + ivec2(1, 1), face), 0);
    float rough = mix(mix(a.w, b.w, g.x), mix(c.w, d.w, g.x), g.y);
    vec3 lean = mix(mix(a.xyz, b.xyz, bent.x), mix(c.xyz, d.xyz, bent.x), bent.y);
    float around = mix(mix(length(a.xyz), length(b.xyz), bent.x), mix(length(c.xyz), length(d.xyz), bent.x), bent.y);

    vec3 offset = atlas_offset(ATLAS, face, v_patch.yz, duv);
    vec3 up = ATLAS == ATLAS_PLANE ? v_direction : normalize(v_direction + offset);
    vec3 part = v_part.xyz + offset * (u_size / u_length);
    // Not where the grid of samples bends either: the halves of a double cone meet on a diagonal of its faces.
    float inner = OWN * min(rim.x, rim.y);
#if ATLAS == 2 || ATLAS == 4
    inner *= clamp(abs(p.x + p.y - u_samples + 1.0) - 1.0, 0.0, 1.0);
#endif
    float steepest = length(lean);
    lean = mix(lean, gradient(face, v_patch.yz + duv, up, rises * (u_samples - 1.0), lean), inner);
    lean *= min(STEEPER * steepest / max(length(lean), 1e-9), 1.0);
    lean -= up * dot(lean, up);
#if KNOWN
    vec2 rise = known_rise(face, p, int(v_part.w));
#else
    const vec2 rise = vec2(0.0);
#endif
    // What the floor of a valley is filled with lies smooth.
    float strength = rough * rough / max(rough + lift, 1e-6) * detail_shore(smooth_ + rise.x, u_top);
    vec4 more = detail_octaves(ivec3(v_whole), part, up, lean, around, strength, u_length, int(v_part.w), uint(u_key));
    vec2 heights = smooth_ + rise + more.xy;
    o_ridge = vec4(more.zw * 0.5 + 0.5, 0.0, 1.0);
    if (v_place.w > 0.5)
        heights.y = plain;
    o_colour = vec4(heights, 0.0, 1.0);
}
#endif
