/**
 * Particles are drawn as balls without geometry: a point sprite covers the ball's outline, and each pixel computes the
 * intersection of its ray with the ball. Obstacles are a few triangles with the same lighting.
 */

/** Positions have 16 bits per axis, for the frames before and after the displayed time. */
export const BALL_VERTEX = `#version 300 es
precision highp float;
uniform vec3 low, step_;
uniform float blend, radius, pixels, parallel;
uniform mat4 view, projection;
in float ax, ay, az, bx, by, bz;
in vec3 colour;
out vec3 centre;
flat out vec3 tint;
void main() {
  vec3 world = low + step_ * mix(vec3(ax, ay, az), vec3(bx, by, bz), blend);
  centre = (view * vec4(world, 1)).xyz;
  tint = colour * colour;
  gl_Position = projection * vec4(centre, 1);
  gl_PointSize = 2.1 * radius * pixels / (parallel > 0.5 ? 1.0 : max(-centre.z, 1e-4));
}
`;

export const BALL_FRAGMENT = `#version 300 es
precision highp float;
uniform mat4 projection;
uniform vec3 light;
uniform float radius;
in vec3 centre;
flat in vec3 tint;
out vec4 pixel;
void main() {
  vec2 p = 1.05 * (2.0 * gl_PointCoord - 1.0) * vec2(1, -1);
  float inside = 1.0 - dot(p, p);
  if (inside < 0.0) discard;
  vec3 n = vec3(p, sqrt(inside));
  vec4 clip = projection * vec4(centre + radius * n, 1);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
  float sun = max(dot(n, light), 0.0);
  float sky = 0.5 + 0.5 * n.y;
  vec3 towards = normalize(-centre);
  float gloss = pow(max(dot(reflect(-light, n), towards), 0.0), 24.0);
  vec3 shade = tint * (0.30 * sky + 0.14 + 0.72 * sun) + 0.10 * gloss;
  // Where a ball turns away from the eye its neighbours are near: darken the creases a little.
  shade *= 0.72 + 0.28 * n.z;
  pixel = vec4(sqrt(shade), 1);
}
`;

/** Obstacles: 'kind' 0 is a plane with lines every metre that fades out, 1 a solid. */
export const SURFACE_VERTEX = `#version 300 es
precision highp float;
uniform mat4 view, projection, model;
in vec3 place, normal;
out vec3 world, n;
void main() {
  vec4 w = model * vec4(place, 1);
  world = w.xyz;
  n = mat3(model) * normal;
  gl_Position = projection * view * w;
}
`;

export const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 sun, eye, middle;
uniform mat4 model;
uniform float kind, reach, grid;
uniform vec4 walls[8];
uniform sampler2D shadow;
uniform mat4 shadowView;
in vec3 world, n;
out vec4 pixel;
float line(float x) {
  float w = fwidth(x);
  return 1.0 - smoothstep(0.0, 1.5 * w, abs(fract(x - 0.5) - 0.5)) ;
}
void main() {
  vec3 up = normalize(n);
  // Nothing of a plane or a solid is seen behind another plane. Unused walls are (0, 0, 0, 0).
  for (int k = 0; k < 8; k++) if (dot(walls[k].xyz, world) < walls[k].w - 1e-3 * reach * length(walls[k].xyz)) discard;
  vec4 s = shadowView * vec4(world, 1);
  vec2 uv = 0.5 + 0.5 * s.xy;
  float dark = 0.0;
  for (int i = -2; i <= 2; i++) for (int j = -2; j <= 2; j++) {
    vec2 at = uv + vec2(i, j) * 0.0014;
    if (at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0) dark += texture(shadow, at).r < 0.5 + 0.5 * s.z - 0.004 ? 0.04 : 0.0;
  }
  if (kind < 0.5) {
    vec3 local = vec3(dot(world - middle, model[0].xyz), dot(world - middle, model[2].xyz), 0) / dot(model[0].xyz, model[0].xyz) * reach;
    float fade = 1.0 - smoothstep(0.35, 1.0, length(local.xy) / reach);
    float lines = max(line(dot(world, normalize(model[0].xyz)) / grid), line(dot(world, normalize(model[2].xyz)) / grid));
    bool front = dot(eye - world, up) > 0.0;
    vec3 base = mix(vec3(0.93, 0.95, 0.965), vec3(0.74, 0.79, 0.84), 0.7 * lines);
    pixel = vec4(base * (0.91 + 0.09 * dot(up, sun)) * (1.0 - 0.42 * dark), fade * (front ? 1.0 : 0.2));
  } else {
    float lit = 0.30 + 0.20 * up.y + 0.55 * max(dot(up, sun), 0.0) * (1.0 - 0.6 * dark);
    pixel = vec4(sqrt(vec3(0.42, 0.47, 0.53) * lit * 1.5), 1);
  }
}
`;
