"""The programs that run on the graphics card, GLSL 1.20 so that software GL takes them too."""

from __future__ import annotations

MESH_VERTEX = """
attribute vec3 a_position;
attribute vec2 a_uv;
attribute vec2 a_packed;
uniform mat4 u_clip_from_local;
varying vec3 v_position;
varying vec2 v_uv;
varying vec3 v_color;
varying vec4 v_normal;
#ifdef HAS_FINISH
attribute vec2 a_light_uv;
varying vec2 v_light_uv;
#endif

vec3 unpacked(float value) {
    return vec3(mod(value, 256.0), mod(floor(value / 256.0), 256.0), floor(value / 65536.0));
}

void main() {
    v_position = a_position;
    v_uv = a_uv;
#ifdef HAS_FINISH
    v_light_uv = a_light_uv;
#endif
    v_color = unpacked(a_packed.x) / 255.0;
    v_color *= v_color;
    vec3 normal = (unpacked(abs(a_packed.y) - 1.0) - 128.0) / 127.0;
    v_normal = vec4(normal, a_packed.y < 0.0 ? 1.0 : 0.0);
    gl_Position = u_clip_from_local * vec4(a_position, 1.0);
}
"""

# Every operation here is paid a million times per picture on software GL. Light is added up in
# a space of gamma 2 instead of the exact sRGB curve: a picture that is fully lit keeps its colours
# to the bit either way, and one root is cheaper than nine. The two lights stand so that the four
# walls of a white room and its floor differ, whatever their textures: corners are seen.
MESH_FRAGMENT = """
uniform sampler2D u_texture;
uniform float u_cut_z;
uniform float u_is_cut;
uniform vec3 u_eye;
uniform vec3 u_forward;
uniform float u_is_parallel;
uniform vec4 u_section;
uniform float u_dim;
uniform vec4 u_floors;
uniform float u_opacity;
varying vec3 v_position;
varying vec2 v_uv;
varying vec3 v_color;
varying vec4 v_normal;
#ifdef HAS_FINISH
uniform sampler2D u_glow_texture;
uniform sampler2D u_occlusion_texture;
uniform vec3 u_glow;
uniform vec2 u_alpha;
uniform float u_is_blended;
uniform float u_is_one_sided;
varying vec2 v_light_uv;
#endif

void main() {
    if (v_position.z > u_cut_z) discard;
    vec4 texel = texture2D(u_texture, v_uv);
#ifdef HAS_FINISH
    if (texel.a < u_alpha.x || texel.a >= u_alpha.y) discard;
    if (u_is_one_sided > 0.5 && !gl_FrontFacing) discard;
#else
    if (texel.a < 0.4) discard;
#endif
    if (u_is_cut > 0.5 && v_normal.w > 0.5 && !gl_FrontFacing) {
        gl_FragColor = vec4(mix(u_section.rgb, vec3(0.5), u_dim * 0.3), 1.0);
        return;
    }
    vec3 to_eye = mix(u_eye - v_position, -u_forward, u_is_parallel);
    vec3 face = cross(dFdx(v_position), dFdy(v_position));
    float agreement = dot(v_normal.xyz, face);
    float size = dot(v_normal.xyz, v_normal.xyz);
    // Across a sharp edge the normals of the vertices mean nothing.
    bool is_smooth = size > 0.16 && agreement * agreement > 0.52 * size * dot(face, face);
    vec3 normal = is_smooth ? v_normal.xyz * sign(agreement) : face;
    normal *= sign(dot(face, to_eye)) * inversesqrt(max(dot(normal, normal), 1e-30));
    vec3 albedo = texel.rgb * texel.rgb * v_color;
#ifdef HAS_FINISH
    albedo *= texture2D(u_occlusion_texture, v_light_uv).r;
#endif
    vec3 light = mix(vec3(0.24, 0.22, 0.20), vec3(0.47, 0.50, 0.55), normal.z * 0.5 + 0.5);
    light += vec3(0.58, 0.545, 0.48) * max(dot(normal, vec3(0.300, -0.650, 0.698)), 0.0);
    light += vec3(0.17, 0.185, 0.21) * max(dot(normal, vec3(-0.900, 0.200, 0.387)), 0.0);
    light += vec3(0.09) * max(dot(normal, -u_forward), 0.0);
    vec4 above = v_position.z - u_floors;
    vec4 heights = mix(vec4(1e3), above, step(-0.02, above));
    float height = min(min(heights.x, heights.y), min(heights.z, heights.w));
    float shade = 1.0 - clamp(height * 1.4, 0.0, 1.0);
    light *= 1.0 - 0.30 * shade * shade * (1.0 - abs(normal.z));
    vec3 color = albedo * light;
    color = color * (1.0 + color * 0.12) / (1.0 + color * 0.28);
#ifdef HAS_FINISH
    vec3 glow = texture2D(u_glow_texture, v_light_uv).rgb * u_glow;
    color = min(color + glow * glow, 1.0);
#endif
    color = sqrt(color);
    float gray = dot(color, vec3(0.30, 0.59, 0.11));
    color = mix(color, mix(vec3(gray), color, 0.25) * 0.55, u_dim);
#ifdef HAS_FINISH
    gl_FragColor = vec4(color, u_opacity * mix(1.0, texel.a, u_is_blended));
#else
    gl_FragColor = vec4(color, u_opacity);
#endif
}
"""

FINISHED = "#define HAS_FINISH\n"
"""Before both mesh programs, where a batch has a ``Finish``; most have none and need not pay."""

# A segment is four corners around both ends; the fragment measures its distance to the segment,
# which gives round caps, joints, an outline and smooth edges without multisampling.
LINE_VERTEX = """
attribute vec3 a_start;
attribute vec3 a_end;
attribute vec4 a_corner;
attribute vec4 a_style;
attribute vec4 a_color;
attribute vec4 a_outline;
uniform mat4 u_clip_from_local;
uniform vec2 u_viewport;
uniform float u_px;
uniform float u_bias;
varying vec3 v_local;
varying vec4 v_style;
varying vec4 v_color;
varying vec4 v_outline;
varying float v_length;

void main() {
    vec4 p = u_clip_from_local * vec4(a_start, 1.0);
    vec4 q = u_clip_from_local * vec4(a_end, 1.0);
    float near_p = p.z + p.w;
    float near_q = q.z + q.w;
    if (near_p < 0.0 && near_q < 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (near_p < 0.0) p = mix(q, p, near_q / (near_q - near_p) * 0.9999);
    if (near_q < 0.0) q = mix(p, q, near_p / (near_p - near_q) * 0.9999);
    vec2 a = p.xy / p.w * u_viewport * 0.5;
    vec2 b = q.xy / q.w * u_viewport * 0.5;
    float full = length(b - a);
    vec2 along = full > 1e-4 ? (b - a) / full : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float half_width = a_style.x * 0.5 * u_px;
    float head = a_style.z * (half_width * 5.0 + 5.0 * u_px);
    float gap = min(a_style.w * u_px, full * 0.9);
    float border = 2.5 * u_px;
    float reach = half_width + border;
    float is_head = a_corner.z;
    float tip = full - gap;
    float first = 0.0;
    float last = max(tip - head * 0.75, 0.0);
    if (is_head > 0.5) {
        first = max(tip - head, 0.0);
        last = tip;
        reach = head * 0.5 + border;
    }
    float s = a_corner.x > 0.0 ? last + reach : first - reach;
    float t = a_corner.y * reach;
    vec2 place = a + along * s + across * t;
    float share = full > 1e-4 ? clamp(s / full, 0.0, 1.0) : 0.0;
    vec4 base = mix(p, q, share * p.w / max(mix(q.w, p.w, share), 1e-6));
    gl_Position = vec4(place / (u_viewport * 0.5) * base.w, base.z - u_bias * base.w, base.w);
    // Times w, and divided again in the fragment: straight on screen, not in depth.
    v_local = vec3(s - first, t, 1.0) * base.w;
    v_length = last - first;
    v_style = vec4(half_width, a_style.y * u_px, is_head, first);
    v_color = a_color;
    v_outline = a_outline;
}
"""

LINE_FRAGMENT = """
uniform float u_px;
varying vec3 v_local;
varying vec4 v_style;
varying vec4 v_color;
varying vec4 v_outline;
varying float v_length;

void main() {
    float d;
    vec2 local = v_local.xy / v_local.z;
    float along = local.x;
    if (v_style.z > 0.5) {
        float left = v_length - along;
        float side = (abs(local.y) - left * 0.5) * 0.894;
        d = max(side, -along);
    } else {
        float dash = v_style.y;
        float nearest = clamp(along, 0.0, v_length);
        if (dash > 0.0) {
            float period = dash * 2.0;
            float cell = floor(nearest / period) * period;
            float end = min(cell + dash, v_length);
            nearest = clamp(nearest, cell, max(end, cell));
            float next = cell + period;
            if (next < v_length && next - along < along - nearest) nearest = next;
        }
        d = length(vec2(along - nearest, local.y)) - v_style.x;
    }
    float border = v_outline.a > 0.0 ? 1.5 * u_px : 0.0;
    float inside = clamp(0.5 - d, 0.0, 1.0);
    float cover = clamp(0.5 - (d - border), 0.0, 1.0);
    vec4 color = mix(v_outline, v_color, border > 0.0 ? inside : 1.0);
    color.a *= cover;
    if (color.a < 0.01) discard;
    gl_FragColor = color;
}
"""

MARKER_VERTEX = """
attribute vec3 a_position;
attribute vec4 a_style;
attribute vec4 a_color;
attribute vec4 a_outline;
uniform mat4 u_clip_from_local;
uniform float u_px;
uniform float u_bias;
varying vec4 v_style;
varying vec4 v_color;
varying vec4 v_outline;

void main() {
    gl_Position = u_clip_from_local * vec4(a_position, 1.0);
    gl_Position.z -= u_bias * gl_Position.w;
    float radius = a_style.x * 0.5 * u_px;
    float border = a_style.y * u_px;
    float size = (radius + border + 1.0) * 2.0;
    gl_PointSize = size;
    v_style = vec4(radius, border, a_style.z, size);
    v_color = a_color;
    v_outline = a_outline;
}
"""

MARKER_FRAGMENT = """
varying vec4 v_style;
varying vec4 v_color;
varying vec4 v_outline;

void main() {
    vec2 p = (gl_PointCoord - 0.5) * v_style.w;
    float radius = v_style.x;
    float shape = v_style.z;
    vec2 q = abs(p);
    float d = length(p) - radius;
    if (shape > 0.5 && shape < 1.5) d = abs(length(p) - radius * 0.78) - radius * 0.22;
    else if (shape > 1.5 && shape < 2.5) d = max(q.x, q.y) - radius * 0.886;
    else if (shape > 2.5 && shape < 3.5) d = (q.x + q.y - radius * 1.2) * 0.707;
    else if (shape > 3.5) {
        vec2 r = abs(vec2(p.x + p.y, p.x - p.y)) * 0.707;
        d = min(max(r.x - radius, r.y - radius * 0.25), max(r.y - radius, r.x - radius * 0.25));
    }
    float inside = clamp(0.5 - d, 0.0, 1.0);
    float cover = clamp(0.5 - (d - v_style.y), 0.0, 1.0);
    vec4 color = v_style.y > 0.0 ? mix(v_outline, v_color, inside) : v_color;
    color.a *= cover;
    if (color.a < 0.01) discard;
    gl_FragColor = color;
}
"""

SOLID_VERTEX = """
attribute vec3 a_position;
attribute vec4 a_color;
attribute float a_is_shaded;
uniform mat4 u_clip_from_local;
uniform float u_bias;
varying vec3 v_position;
varying vec4 v_color;
varying float v_is_shaded;

void main() {
    gl_Position = u_clip_from_local * vec4(a_position, 1.0);
    gl_Position.z -= u_bias * gl_Position.w;
    v_position = a_position;
    v_color = a_color;
    v_is_shaded = a_is_shaded;
}
"""

SOLID_FRAGMENT = """
varying vec3 v_position;
varying vec4 v_color;
varying float v_is_shaded;

void main() {
    vec3 normal = normalize(cross(dFdx(v_position), dFdy(v_position)));
    float light = 0.72 + 0.28 * abs(normal.z) + 0.10 * abs(normal.x);
    gl_FragColor = vec4(v_color.rgb * mix(1.0, min(light, 1.0), v_is_shaded), v_color.a);
}
"""

SECTION_VERTEX = """
attribute vec3 a_position;
uniform mat4 u_clip_from_local;

void main() {
    gl_Position = u_clip_from_local * vec4(a_position, 1.0);
}
"""

SECTION_FRAGMENT = """
uniform vec4 u_section;

void main() {
    gl_FragColor = vec4(u_section.rgb, 1.0);
}
"""
