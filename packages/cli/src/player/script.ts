/**
 * The page's program, as text. It reads the data element, uploads all frames once and interpolates between two of them.
 */
export const SCRIPT = String.raw`
const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const canvas = $('view');
const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
if (!gl || typeof DecompressionStream === 'undefined') {
  $('problem').hidden = false;
  $('problem').textContent = 'This page needs a browser with WebGL 2 and DecompressionStream.';
  throw new Error('no WebGL 2');
}

// ── data ───────────────────────────────────────────────────────────────────────────────────────────────────────────
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Adds up the differences from frame to frame; a frame holds low bytes, then high bytes. */
async function unpackPositions() {
  const bytes = await unpack(data.positions);
  const size = 3 * data.particles;
  const all = new Uint16Array(size * data.frames);
  for (let f = 0; f < data.frames; f++)
    for (let k = 0; k < size; k++) {
      const difference = bytes[2 * f * size + k] | (bytes[(2 * f + 1) * size + k] << 8);
      all[f * size + k] = (f > 0 ? all[(f - 1) * size + k] : 0) + difference;
    }
  return all;
}

// ── vectors and matrices (columns) ─────────────────────────────────────────────────────────────────────────────────
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return [a[0] / l, a[1] / l, a[2] / l]; };
const times = (a, b) => {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
};
function lookAt(eye, target, up) {
  const z = unit(add(eye, target, -1));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}
function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan((fov * Math.PI) / 360);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
}
const orthographic = (half, depth) => new Float32Array([1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1]);
/** A vector turned by a quaternion: v + 2 q × (q × v + w v). */
function turn(q, v) {
  const across = add(cross(q, v), v, q[3]);
  return add(v, cross(q, across), 2);
}
function frameOf(axis) {
  const across = unit(cross(Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], axis));
  return [across, cross(axis, across)];
}

// ── programs and meshes ────────────────────────────────────────────────────────────────────────────────────────────
function program(name) {
  const made = gl.createProgram();
  for (const [kind, type] of [['vertex', gl.VERTEX_SHADER], ['fragment', gl.FRAGMENT_SHADER]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, $(name + '-' + kind).textContent);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(name + ' ' + kind + ': ' + gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
    const { name: u, type } = gl.getActiveUniform(made, k);
    const at = gl.getUniformLocation(made, u);
    const set = { [gl.FLOAT]: 'uniform1f', [gl.FLOAT_VEC3]: 'uniform3fv', [gl.FLOAT_VEC4]: 'uniform4fv', [gl.SAMPLER_2D]: 'uniform1i' }[type];
    uniforms[u.replace('[0]', '')] = type === gl.FLOAT_MAT4 ? (v) => gl.uniformMatrix4fv(at, false, v) : (v) => gl[set](at, v);
  }
  return {
    use(values) {
      gl.useProgram(made);
      for (const [key, value] of Object.entries(values)) uniforms[key]?.(value);
    },
    attribute: (key) => gl.getAttribLocation(made, key),
  };
}
function buffer(content) {
  const made = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, made);
  gl.bufferData(gl.ARRAY_BUFFER, content, gl.STATIC_DRAW);
  return made;
}
/** A surface of revolution about y from (radius, height, normal radius, normal height) rings; as place and normal. */
function revolve(rings, around = 64) {
  const out = [];
  const corner = ([r, y, nr, ny], k) => {
    const [c, s] = [Math.cos((2 * Math.PI * k) / around), Math.sin((2 * Math.PI * k) / around)];
    return [r * c, y, r * s, nr * c, ny, nr * s];
  };
  for (let i = 0; i + 1 < rings.length; i++)
    for (let k = 0; k < around; k++)
      for (const [ring, turn] of [[i, k], [i + 1, k], [i + 1, k + 1], [i, k], [i + 1, k + 1], [i, k + 1]]) out.push(...corner(rings[ring], turn));
  return out;
}
const arc = Array.from({ length: 25 }, (_, k) => (Math.PI * (k - 12)) / 24);
/** Six faces of the cube from −1 to 1. */
function cube() {
  const out = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1])
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) {
        const [place, normal] = [[0, 0, 0], [0, 0, 0]];
        place[axis] = normal[axis] = side;
        place[(axis + 1) % 3] = a;
        place[(axis + 2) % 3] = b;
        out.push(...place, ...normal);
      }
  return out;
}
/** Triangles, nine numbers each, with the normal of each. */
function faceted(corners) {
  const out = [];
  for (let k = 0; k < corners.length; k += 9) {
    const [a, b, c] = [0, 3, 6].map((o) => Array.from(corners.subarray(k + o, k + o + 3)));
    const normal = unit(cross(add(b, a, -1), add(c, a, -1)));
    for (const corner of [a, b, c]) out.push(...corner, ...normal);
  }
  return out;
}
/** About y, in metres: two half balls and what is between them. */
const capsule = (radius, half) =>
  revolve(arc.flatMap((a, k) => {
    const ring = (y) => [radius * Math.cos(a), y + radius * Math.sin(a), Math.cos(a), Math.sin(a)];
    return k === 12 ? [ring(-half), ring(half)] : [ring(a < 0 ? -half : half)];
  }));
const SHAPES = {
  box: cube(),
  plane: [-1, 0, -1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, -1, 0, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 1, 0],
  sphere: revolve(arc.map((a) => [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)])),
  cylinder: revolve([[0, -1, 0, -1], [1, -1, 0, -1], [1, -1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]]),
};

// ── set-up ─────────────────────────────────────────────────────────────────────────────────────────────────────────
const balls = program('ball');
const surfaces = program('surface');
const low = data.min;
const size = data.scale.map((s) => 65535 * s);
const middle = low.map((v, a) => v + size[a] / 2);
const extent = Math.max(Math.hypot(...size) / 2, 4 * data.radius);
const frames = buffer(await unpackPositions());
const colours = buffer(await unpack(data.colours));
const ballArray = gl.createVertexArray();
function upload(content) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  buffer(new Float32Array(content));
  for (const [key, offset] of [['place', 0], ['normal', 12]]) {
    gl.enableVertexAttribArray(surfaces.attribute(key));
    gl.vertexAttribPointer(surfaces.attribute(key), 3, gl.FLOAT, false, 24, offset);
  }
  return { array, count: content.length / 6 };
}
const meshes = Object.fromEntries(Object.entries(SHAPES).map(([type, content]) => [type, upload(content)]));
for (const o of data.obstacles) {
  if (o.type === 'capsule') o.mesh = upload(capsule(o.radius, o.half));
  else if (o.type === 'mesh') o.mesh = upload(faceted(new Float32Array((await unpack(o.triangles)).buffer)));
  else o.mesh = meshes[o.type];
}

const SHADOW = 1024;
const shadow = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, shadow);
gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW, SHADOW);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
const shadowTarget = gl.createFramebuffer();
gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadow, 0);
gl.drawBuffers([gl.NONE]);
gl.bindFramebuffer(gl.FRAMEBUFFER, null);
const sun = unit([0.45, 1, 0.35]);
const sunView = lookAt(add(middle, sun, extent), middle, [0, 0, -1]);
const sunProjection = orthographic(1.1 * extent, 3 * extent);
const sunMatrix = times(sunProjection, sunView);

// ── camera: drag turns, shift-drag or right-drag moves, the wheel comes closer ─────────────────────────────────────
const target = [...data.camera.target];
const away = add(data.camera.position, target, -1);
let distance = Math.hypot(...away) || 1;
let azimuth = Math.atan2(away[0], away[2]);
let height = Math.asin(Math.max(-1, Math.min(1, away[1] / distance)));
const eyeAt = () => add(target, [Math.sin(azimuth) * Math.cos(height), Math.sin(height), Math.cos(azimuth) * Math.cos(height)], distance);
canvas.addEventListener('contextmenu', (e) => e.preventDefault());
canvas.addEventListener('pointerdown', (e) => canvas.setPointerCapture(e.pointerId));
canvas.addEventListener('pointermove', (e) => {
  if (e.buttons === 0) return;
  if (e.shiftKey || e.buttons & 6) {
    const m = lookAt(eyeAt(), target, [0, 1, 0]);
    const step = (2 * distance * Math.tan((data.camera.fov * Math.PI) / 360)) / canvas.clientHeight;
    for (let a = 0; a < 3; a++) target[a] += step * (-e.movementX * m[4 * a] + e.movementY * m[4 * a + 1]);
  } else {
    azimuth -= 0.006 * e.movementX;
    height = Math.max(-1.55, Math.min(1.55, height + 0.006 * e.movementY));
  }
});
canvas.addEventListener('wheel', (e) => {
  e.preventDefault();
  distance = Math.max(0.02 * extent, Math.min(60 * extent, distance * Math.exp(0.0012 * e.deltaY)));
}, { passive: false });

// ── time ───────────────────────────────────────────────────────────────────────────────────────────────────────────
// An address ending in #120 opens that frame, paused.
const asked = /^#(\d+)$/.exec(location.hash);
let position = asked ? Math.min(Number(asked[1]), data.frames - 1) : 0;
let playing = !asked && data.frames > 1;
let rest = 0;
const play = $('play');
const scrub = $('scrub');
const toggle = () => { playing = !playing; if (playing && position >= data.frames - 1) position = 0; };
play.onclick = toggle;
scrub.oninput = () => { position = Number(scrub.value); playing = false; };
addEventListener('keydown', (e) => {
  if (e.target === scrub && e.key.startsWith('Arrow')) return;
  if (e.key === ' ' && e.target !== play) { e.preventDefault(); toggle(); }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (step) { playing = false; position = Math.max(0, Math.min(data.frames - 1, Math.round(position) + step)); }
});
function advance(seconds) {
  if (!playing) return;
  if (position >= data.frames - 1) {
    // A second's rest at the end, then again from the start.
    rest += seconds;
    if (rest > 1) rest = position = 0;
    return;
  }
  position = Math.min(data.frames - 1, position + (seconds * Number($('speed').value)) / data.interval);
}

// ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────────
function bindBalls() {
  gl.bindVertexArray(ballArray);
  const [from, to] = [Math.floor(position), Math.min(data.frames - 1, Math.floor(position) + 1)];
  gl.bindBuffer(gl.ARRAY_BUFFER, frames);
  for (const [prefix, frame] of [['a', from], ['b', to]])
    ['x', 'y', 'z'].forEach((axis, a) => {
      const at = balls.attribute(prefix + axis);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 1, gl.UNSIGNED_SHORT, false, 0, 2 * data.particles * (3 * frame + a));
    });
  gl.bindBuffer(gl.ARRAY_BUFFER, colours);
  const at = balls.attribute('colour');
  if (at >= 0) {
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 3, gl.UNSIGNED_BYTE, true, 0, 0);
  }
}
function drawBalls(view, projection, pixels, parallel) {
  const m = view;
  const light = [0, 1, 2].map((r) => m[r] * sun[0] + m[4 + r] * sun[1] + m[8 + r] * sun[2]);
  bindBalls();
  balls.use({ low, step_: data.scale, blend: position % 1, radius: data.radius, pixels, parallel, view, projection, light });
  gl.drawArrays(gl.POINTS, 0, data.particles);
}
/** Where an obstacle is at the moment shown: between two recorded frames if it moves. */
function poseOf({ poses }) {
  if (poses.length === 7) return { place: poses.slice(0, 3), q: poses.slice(3) };
  const from = 7 * Math.floor(position);
  const to = Math.min(from + 7, poses.length - 7);
  const side = [3, 4, 5, 6].reduce((sum, k) => sum + poses[from + k] * poses[to + k], 0) < 0 ? -1 : 1;
  const mix = (k, sign = 1) => (1 - (position % 1)) * poses[from + k] + (position % 1) * sign * poses[to + k];
  const q = [3, 4, 5, 6].map((k) => mix(k, side));
  const length = Math.hypot(...q) || 1;
  return { place: [0, 1, 2].map((k) => mix(k)), q: q.map((c) => c / length) };
}
function modelOf(o) {
  const { place, q } = poseOf(o);
  const column = (v, s) => [v[0] * s, v[1] * s, v[2] * s, 0];
  const axes = (x, y, z, at) => [...x, ...y, ...z, ...at, 1];
  if (o.type === 'box' || o.type === 'mesh') {
    // A flat box is drawn a little thick, so that it has a normal.
    const half = o.size ? o.size.map((s) => Math.max(s / 2, 1e-4 * extent)) : [1, 1, 1];
    return axes(...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((v, a) => column(turn(q, v), half[a])), place);
  }
  const direction = turn(q, o.direction);
  const [x, z] = frameOf(o.direction).map((v) => turn(q, v));
  if (o.type === 'capsule') return axes(column(x, 1), column(direction, 1), column(z, 1), place);
  if (o.type === 'sphere') return axes(column(x, o.radius), column(direction, o.radius), column(z, o.radius), place);
  // The part of a plane or an axis that is nearest to where things happen.
  const along = dot(add(middle, place, -1), direction);
  if (o.type === 'plane') return axes(column(x, reach), column(direction, 1), column(z, reach), add(middle, direction, -along));
  const half = 0.7 * size.reduce((sum, length, a) => sum + length * Math.abs(direction[a]), 0) + 0.1 * extent;
  return axes(column(x, o.radius), column(direction, half), column(z, o.radius), add(place, direction, along));
}
const reach = 4 * extent;
const grid = 10 ** Math.round(Math.log10(extent / 3));
function wallsAt(time) {
  const walls = new Float32Array(32);
  data.obstacles.filter((o) => o.type === 'plane').slice(0, 8).forEach((o, k) => {
    const { place, q } = poseOf(o);
    const normal = turn(q, o.direction);
    if (o.until === null || time <= o.until) walls.set([...normal, dot(normal, place)], 4 * k);
  });
  return walls;
}
function drawObstacles(kinds, shared) {
  const time = position * data.interval;
  for (const o of data.obstacles) {
    if (!kinds.includes(o.type) || (o.until !== null && time > o.until)) continue;
    surfaces.use({ ...shared, model: new Float32Array(modelOf(o)), kind: o.type === 'plane' ? 0 : 1 });
    gl.bindVertexArray(o.mesh.array);
    gl.drawArrays(gl.TRIANGLES, 0, o.mesh.count);
  }
}
function draw() {
  const ratio = Math.min(devicePixelRatio, 2);
  const [width, tall] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== tall) [canvas.width, canvas.height] = [width, tall];
  gl.enable(gl.DEPTH_TEST);
  gl.disable(gl.BLEND);

  gl.bindTexture(gl.TEXTURE_2D, null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
  gl.viewport(0, 0, SHADOW, SHADOW);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  drawBalls(sunView, sunProjection, SHADOW / (2.2 * extent), 1);

  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, width, tall);
  gl.clearColor(0.875, 0.905, 0.933, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const eye = eyeAt();
  const view = lookAt(eye, target, [0, 1, 0]);
  const projection = perspective(data.camera.fov, width / Math.max(1, tall), 0.02 * distance, distance + 12 * extent);
  gl.bindTexture(gl.TEXTURE_2D, shadow);
  const shared = { view, projection, sun, eye, middle, reach, grid, shadow: 0, shadowView: sunMatrix, walls: wallsAt(position * data.interval) };
  drawObstacles(['sphere', 'cylinder', 'box', 'capsule', 'mesh'], shared);
  drawBalls(view, projection, (tall / 2) * projection[5], 0);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthMask(false);
  drawObstacles(['plane'], shared);
  gl.depthMask(true);
}

let before = performance.now();
function tick(now) {
  advance(Math.min(0.1, Math.max(0, now - before) / 1000));
  before = now;
  draw();
  play.classList.toggle('playing', playing);
  scrub.value = String(Math.round(position));
  const frame = Math.round(position);
  $('clock').textContent = 'frame ' + frame * data.stride + ' · ' + (frame * data.interval).toFixed(2) + ' s';
  requestAnimationFrame(tick);
}
requestAnimationFrame(tick);
`;
