/**
 * The page that draws frames and encodes them. It is told what to draw by `setUp`, `setMesh` and `draw`, and hands encoded pictures to `pliantChunk`. Plain
 * WebGL 2: one pass for the shadows of a sun, one for the picture, with four samples a pixel.
 */
export const PAGE = String.raw`<!doctype html><meta charset="utf-8"><body><script type="module">
const VERTEX = '#version 300 es\n' + [
  'precision highp float;',
  'uniform mat4 view, model;',
  'uniform vec3 tint;',
  'uniform float tinted;',
  'in vec3 place, normal, colour;',
  'out vec3 world, n, c;',
  'void main() {',
  '  vec4 w = model * vec4(place, 1);',
  '  world = w.xyz;',
  '  n = mat3(model) * normal;',
  '  c = tinted > 0.5 ? tint : colour;',
  '  gl_Position = view * w;',
  '}',
].join('\n');
const FRAGMENT = '#version 300 es\n' + [
  'precision highp float;',
  'uniform vec3 sun, eye, middle;',
  'uniform float plane, reach, grid;',
  'uniform highp sampler2D shadow;',
  'uniform mat4 sunView;',
  'in vec3 world, n, c;',
  'out vec4 pixel;',
  'float line(float x) { float w = fwidth(x); return 1.0 - smoothstep(0.0, 1.5 * w, abs(fract(x - 0.5) - 0.5)); }',
  'void main() {',
  '  vec3 up = normalize(n), away = normalize(eye - world);',
  '  if (plane < 0.5 && dot(up, away) < 0.0) up = -up;',
  '  vec4 s = sunView * vec4(world + 0.004 * reach * up, 1);',
  '  vec3 at = 0.5 + 0.5 * s.xyz;',
  '  float dark = 0.0;',
  '  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) {',
  '    vec2 p = at.xy + vec2(i, j) / 900.0;',
  '    if (all(greaterThan(p, vec2(0))) && all(lessThan(p, vec2(1)))) dark += texture(shadow, p).r < at.z - 0.002 ? 0.111 : 0.0;',
  '  }',
  '  float direct = max(dot(up, sun), 0.0) * (1.0 - dark);',
  '  if (plane > 0.5) {',
  '    float far = length(world - middle) / reach;',
  '    vec3 p = abs(up);',
  '    vec2 q = p.y > 0.7 ? world.xz : p.x > 0.7 ? world.yz : world.xy;',
  '    vec3 base = mix(vec3(0.80, 0.83, 0.86), vec3(0.62, 0.67, 0.72), 0.6 * max(line(q.x / grid), line(q.y / grid)));',
  '    base *= 1.0 - 0.45 * dark;',
  '    pixel = vec4(sqrt(base * base), (1.0 - smoothstep(0.35, 1.0, far)) * (dot(away, up) > 0.0 ? 1.0 : 0.15));',
  '    return;',
  '  }',
  '  float sky = 0.5 + 0.5 * up.y;',
  '  float gloss = pow(max(dot(reflect(-sun, up), away), 0.0), 40.0) * (1.0 - dark);',
  '  vec3 lit = c * (0.34 * sky + 0.16 + 0.85 * direct) + 0.10 * gloss;',
  '  pixel = vec4(pow(lit, vec3(1.0 / 2.2)), 1);',
  '}',
].join('\n');

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return a.map((v) => v / l); };
function times(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return out;
}
function lookAt(eye, target, up) {
  const z = unit(add(eye, target, -1));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}
function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan((fov * Math.PI) / 360);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}
const orthographic = (half, depth) => [1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1];
function modelOf([px, py, pz, x, y, z, w]) {
  return new Float32Array([
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
    2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
    2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0,
    px, py, pz, 1]);
}
const IDENTITY = modelOf([0, 0, 0, 0, 0, 0, 1]);
const floats = (text) => new Float32Array(bytesOf(text).buffer);
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

const SHADOW = 1024;
let gl, program, uniforms, options, encoder, failed, shadow, shadowTarget, canvas, sunMatrix, pending = 0;
const meshes = new Map();
const at = (name) => gl.getAttribLocation(program, name);

globalThis.setUp = async (given) => {
  options = given;
  canvas = Object.assign(document.createElement('canvas'), { width: given.width, height: given.height });
  gl = canvas.getContext('webgl2', { antialias: true, alpha: false, preserveDrawingBuffer: true });
  if (!gl) return 'it has no WebGL 2';
  if (typeof VideoEncoder === 'undefined') return 'it has no WebCodecs';
  program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) return gl.getShaderInfoLog(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  uniforms = Object.fromEntries(['view', 'model', 'tint', 'tinted', 'sun', 'eye', 'middle', 'plane', 'reach', 'grid', 'shadow', 'sunView'].map((name) => [name, gl.getUniformLocation(program, name)]));
  shadow = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, shadow);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW, SHADOW);
  for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
  shadowTarget = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadow, 0);
  gl.drawBuffers([gl.NONE]);
  const config = { width: given.width, height: given.height, bitrate: given.bitrate, framerate: given.fps, latencyMode: 'quality' };
  for (const codec of given.codecs) {
    const wanted = { codec, ...config, ...(codec.startsWith('avc1') && { avc: { format: 'avc' } }) };
    if (!(await VideoEncoder.isConfigSupported(wanted).catch(() => ({}))).supported) continue;
    encoder = new VideoEncoder({ output: send, error: (error) => { failed = error.message; } });
    encoder.configure(wanted);
    return '';
  }
  return 'it encodes none of ' + given.codecs.join(', ');
};
async function send(chunk, metadata) {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  const config = metadata?.decoderConfig;
  const description = config?.description && toText(new Uint8Array(config.description.buffer ?? config.description));
  pending++;
  await pliantChunk({ type: chunk.type, timestamp: chunk.timestamp, data: toText(bytes), config: config && { ...config, description } });
  pending--;
}
function toText(bytes) {
  let text = '';
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text);
}
function attribute(mesh, name, content) {
  const buffer = mesh.buffers[name] ?? (mesh.buffers[name] = gl.createBuffer());
  gl.bindVertexArray(mesh.array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
  if (at(name) < 0) return;
  gl.enableVertexAttribArray(at(name));
  gl.vertexAttribPointer(at(name), 3, gl.FLOAT, false, 0, 0);
}
/** Makes or changes a mesh: whatever is given. */
globalThis.setMesh = (id, { positions, normals, colours, indices, colour, kind }) => {
  let mesh = meshes.get(id);
  if (!mesh) meshes.set(id, (mesh = { array: gl.createVertexArray(), buffers: {}, kind, colour }));
  if (positions) { const content = floats(positions); mesh.count = content.length / 3; attribute(mesh, 'place', content); }
  if (normals) attribute(mesh, 'normal', floats(normals));
  if (colours) attribute(mesh, 'colour', floats(colours));
  if (!indices) return;
  const content = new Uint32Array(bytesOf(indices).buffer);
  gl.bindVertexArray(mesh.array);
  mesh.elements ??= gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.elements);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
  mesh.indexCount = content.length;
};
function pass(view, poses, planes) {
  gl.uniformMatrix4fv(uniforms.view, false, view);
  for (const [id, pose] of poses) {
    const mesh = meshes.get(id);
    if ((mesh.kind === 'plane') !== planes) continue;
    gl.uniformMatrix4fv(uniforms.model, false, pose ? modelOf(pose) : IDENTITY);
    gl.uniform1f(uniforms.plane, planes ? 1 : 0);
    gl.uniform1f(uniforms.tinted, mesh.colour ? 1 : 0);
    gl.uniform3fv(uniforms.tint, mesh.colour ?? [1, 1, 1]);
    gl.bindVertexArray(mesh.array);
    if (mesh.indexCount !== undefined) gl.drawElements(gl.TRIANGLES, mesh.indexCount, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
  }
}
/** Draws the meshes of a frame, [number, pose] each, and encodes the picture. Returns an error, or nothing. */
globalThis.draw = async (frame, poses) => {
  if (failed) return failed;
  const { width, height, camera, middle, extent, fps } = options;
  const sun = unit([0.45, 1, 0.35]);
  sunMatrix = times(orthographic(1.15 * extent, 3 * extent), lookAt(add(middle, sun, extent), middle, [0, 0, -1]));
  gl.enable(gl.DEPTH_TEST);
  gl.disable(gl.BLEND);
  gl.bindTexture(gl.TEXTURE_2D, null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
  gl.viewport(0, 0, SHADOW, SHADOW);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  pass(sunMatrix, poses, false);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.bindTexture(gl.TEXTURE_2D, shadow);
  gl.viewport(0, 0, width, height);
  gl.clearColor(0.93, 0.945, 0.96, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const distance = Math.hypot(...add(camera.position, camera.target, -1));
  const view = times(perspective(camera.fov, width / height, 0.02 * distance, distance + 12 * extent), lookAt(camera.position, camera.target, [0, 1, 0]));
  gl.uniform3fv(uniforms.sun, sun);
  gl.uniform3fv(uniforms.eye, camera.position);
  gl.uniform3fv(uniforms.middle, middle);
  gl.uniform1f(uniforms.reach, 4 * extent);
  gl.uniform1f(uniforms.grid, 10 ** Math.round(Math.log10(extent / 3)));
  gl.uniformMatrix4fv(uniforms.sunView, false, sunMatrix);
  pass(view, poses, false);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  pass(view, poses, true);
  gl.finish();
  const picture = new VideoFrame(canvas, { timestamp: Math.round((1e6 * frame) / fps), duration: Math.round(1e6 / fps) });
  encoder.encode(picture, { keyFrame: frame % Math.max(1, Math.round(2 * fps)) === 0 });
  picture.close();
  // The encoder works beside: a queue of pictures would grow.
  while (encoder.encodeQueueSize > 2) await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
};
globalThis.finish = async () => {
  await encoder.flush();
  while (pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return failed;
};
</script>`;
