import { buildBody, saveBody } from 'pliant';

/** Small valid files of every kind, made here: what the fuzzers damage. Texts are texts, other files lists of bytes. */

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [(k & 1) - 0.5, ((k >> 1) & 1) - 0.5, ((k >> 2) & 1) - 0.5]);
const QUADS = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const TRIANGLES = QUADS.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
]);

const obj = () =>
  `# a cube\nmtllib cube.mtl\no cube\n${CORNERS.map((p) => `v ${p.join(' ')} 1 0.5 0`).join('\n')}\nvt 0 0\nvt 1 1\nvn 0 1 0\nusemtl red\ns off\n${QUADS.map((q) => `f ${q.map((i) => `${i + 1}/1/1`).join(' ')}`).join('\n')}\n`;

const stlText = () =>
  `solid cube\n${TRIANGLES.map((t) => ` facet normal 0 0 0\n  outer loop\n${t.map((i) => `   vertex ${CORNERS[i].join(' ')}\n`).join('')}  endloop\n endfacet\n`).join('')}endsolid cube\n`;

function stlBytes() {
  const view = new DataView(new ArrayBuffer(84 + 50 * TRIANGLES.length));
  view.setUint32(80, TRIANGLES.length, true);
  TRIANGLES.forEach((t, n) => {
    for (const [corner, i] of t.entries())
      for (let a = 0; a < 3; a++) view.setFloat32(84 + 50 * n + 12 * (corner + 1) + 4 * a, CORNERS[i][a], true);
  });
  return bytesOf(view.buffer);
}

const plyHeader = (format) =>
  `ply\nformat ${format} 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n`;
const plyText = () =>
  `${plyHeader('ascii')}${CORNERS.map((p) => `${p.join(' ')} 255 0 9\n`).join('')}${TRIANGLES.map((t) => `3 ${t.join(' ')}\n`).join('')}`;

function plyBytes(isLittle) {
  const head = new TextEncoder().encode(plyHeader(isLittle ? 'binary_little_endian' : 'binary_big_endian'));
  const view = new DataView(new ArrayBuffer(8 * 15 + 12 * 13));
  CORNERS.forEach((p, n) => {
    for (let a = 0; a < 3; a++) view.setFloat32(15 * n + 4 * a, p[a], isLittle);
    view.setUint8(15 * n + 12, 200);
  });
  TRIANGLES.forEach((t, n) => {
    view.setUint8(120 + 13 * n, 3);
    for (let a = 0; a < 3; a++) view.setInt32(121 + 13 * n + 4 * a, t[a], isLittle);
  });
  return [...head, ...bytesOf(view.buffer)];
}

function gltfParts() {
  const buffer = new ArrayBuffer(12 * 8 + 2 * 36);
  new Float32Array(buffer, 0, 24).set(CORNERS.flat());
  new Uint16Array(buffer, 96, 36).set(TRIANGLES.flat());
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { mesh: 0, translation: [0, 0.5, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1], children: [1] },
      { name: 'empty', matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 4 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR', byteOffset: 0 },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 96, target: 34962 },
      { buffer: 0, byteOffset: 96, byteLength: 72, target: 34963 },
    ],
    buffers: [{ byteLength: 168 }],
  };
  return { json, bin: bytesOf(buffer) };
}

function gltf() {
  const { json, bin } = gltfParts();
  json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(bin).toString('base64')}`;
  return JSON.stringify(json);
}

function glb() {
  const { json, bin } = gltfParts();
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = [...text, ...new Array((4 - (text.length % 4)) % 4).fill(32)];
  const u32 = (n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >>> 24) & 255];
  const length = 12 + 8 + padded.length + 8 + bin.length;
  return [
    ...u32(0x46546c67),
    ...u32(2),
    ...u32(length),
    ...u32(padded.length),
    ...u32(0x4e4f534a),
    ...padded,
    ...u32(bin.length),
    ...u32(0x004e4942),
    ...bin,
  ];
}

const bytesOf = (buffer) => [...new Uint8Array(buffer)];

const GRID = Array.from({ length: 27 }, (_, k) =>
  [k % 3, Math.floor(k / 3) % 3, Math.floor(k / 9)].map((n) => n * 0.2),
);
const particles = () => `# particles\n${GRID.map((p) => p.join(' ')).join('\n')}\n`;
const clusters = () =>
  JSON.stringify({
    clusters: [
      { members: GRID.map((_, k) => k).slice(0, 18), weights: GRID.map((_, k) => (k < 9 ? 1 : 0.5)).slice(0, 18) },
      { members: GRID.map((_, k) => k).slice(9), weights: GRID.map((_, k) => (k < 18 ? 0.5 : 1)).slice(9) },
    ],
  });

/** A scene that has something of everything. */
export const scene = () => ({
  title: 'Everything',
  description: 'a bit of all',
  gravity: [0, -9.81, 0],
  dt: 1 / 60,
  frames: 3,
  materials: {
    clay: {
      density: 300,
      yield: 0.05,
      raw: { stiffness: 0.5, limit: { mode: 'conserving', gamma: 0.3, omega: 0.5, iterations: 2 } },
    },
    foam: { young: 3e4, poisson: 0.2, dampingRatio: 0.3 },
  },
  bodies: [
    {
      name: 'box',
      geometry: { type: 'box', size: [0.6, 0.3, 0.3], position: [0, 0.1, 0] },
      sampling: { method: 'grid', count: 40, seed: 1 },
      material: 'clay',
      clustering: { algorithm: 'fuzzy', kernel: 'invsq', count: 3, radius: 'auto', overlap: 1.3 },
      levels: { weights: { type: 'linear', to: 'coarse', epsilon: 1 }, count: 2 },
      contact: { mode: 'proxies', self: true, fraction: 1, margin: 0 },
      fracture: { outliers: 2, debris: true },
      reclustering: { threshold: 2, every: 0.07 },
      scale: 1,
      rotation: { axis: [0, 1, 0], degrees: 30 },
      position: [0, 1, 0],
      velocity: [0, -1, 0],
      angularVelocity: [0, 1, 0],
      stretch: [1.2, 1, 1],
      stretchCentre: [0, 1, 0],
      copies: [{ name: 'second', position: [0, 2, 0] }],
    },
    {
      name: 'mesh',
      geometry: { type: 'mesh', file: 'cube.obj' },
      sampling: { count: 30 },
      material: {
        toughness: { vertexColour: 'r', values: [0.1, 0.4] },
        raw: { stiffness: { along: 'y', values: [0.2, 0.8] } },
      },
      position: [1, 1, 0],
    },
    {
      name: 'points',
      geometry: { type: 'points', points: GRID },
      clusters: { file: 'clusters.json' },
      position: [-1, 1, 0],
    },
    { name: 'dust', geometry: { type: 'particles', file: 'particles.txt' }, position: [0, 1, 2] },
    {
      name: 'cheese',
      geometry: {
        type: 'difference',
        of: [
          { type: 'sphere', radius: 0.3 },
          { type: 'torus', radius: 0.2, tube: 0.1 },
        ],
        smooth: 0.02,
      },
      sampling: { count: 30, shell: 0.1 },
      position: [0, 1, -2],
    },
  ],
  picks: [{ name: 'hand', body: 'box', point: [0, 1.1, 0], target: [0, 1.3, 0], stiffness: 30, damping: 1 }],
  variants: {
    soft: {
      description: 'softer',
      set: { 'bodies[box].material': { young: 1e4 }, 'bodies[*].velocity': [0, 0, 0], 'bodies[0].levels': null },
    },
  },
  clamps: [
    {
      name: 'hold',
      region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.9 },
      bodies: ['mesh'],
      velocity: [0.1, 0, 0],
      lifetime: 1,
    },
  ],
  colliders: [
    { name: 'floor', type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 },
    { type: 'sphere', centre: [0, 0.2, 0], radius: 0.2, velocity: [0, 0, 0.1], except: 'hold' },
    {
      type: 'box',
      size: [0.2, 0.2, 0.2],
      keyframes: [
        { time: 0, position: [0, 0, 0] },
        { time: 1, position: [1, 0, 0], rotation: [0, 0, 0, 1] },
      ],
      loop: true,
    },
    { type: 'mesh', file: 'cube.ply', scale: 0.2, position: [0, 0.1, 1] },
  ],
  forceFields: [
    {
      type: 'radial',
      centre: [0, 0, 0],
      strength: 1,
      radius: 1,
      falloff: 2,
      region: { type: 'box', min: [-1, -1, -1], max: [1, 1, 1] },
      bodies: ['box'],
    },
  ],
  cuts: [
    { at: 0.02, body: 'box', plane: { point: [0, 1, 0], normal: [1, 0, 0] } },
    {
      at: 0.03,
      blade: [
        [0, 0.25, -1],
        [0, 0.25, 1],
        [0, 1, 1],
        [0, 1, -1],
      ],
    },
  ],
  cameras: [{ name: 'front', position: [1, 1, 3], target: [0, 0, 0], fov: 40 }],
});

/** As the papers' authors have them. */
export const researchScene = () => ({
  particleFiles: ['particles.txt'],
  movingParticleFiles: [],
  dt: 0.0166,
  alpha: 0.8,
  springDamping: 0.1,
  mass: 0.1,
  maxStretch: 0.3,
  omega: 0.9,
  numConstraintIters: 3,
  neighborRadius: 0.35,
  nClusters: 3,
  nu: 0.5,
  yield: 0.1,
  hardening: 0,
  toughness: 0.3,
  toughnessBoost: 1,
  toughnessFalloff: 5,
  collisionGeometryThreshold: 0.5,
  collisionRestitution: 0.5,
  clusterFpThreshold: 2,
  minClusters: 1,
  initialStretch: [1.1, 1, 1],
  gravity: [0, -9.81, 0],
  planes: [[0, 1, 0, 1]],
  movingPlanes: [{ normal: [0, 1, 0], offset: 0.3, velocity: 0.1, lifetime: 1 }],
  twistingPlanes: [{ normal: [1, 0, 0], offset: 0.2, angularVelocity: 1, width: 1, lifetime: 1 }],
  projectiles: [{ start: [0, 1, 0], velocity: [0, -1, 0], radius: 0.1, momentumScale: 0.1 }],
  cylinders: [{ normal: [1, 0, 0], supportPoint: [0, -1, 0], radius: 0.2 }],
});

/** A built body of 64 particles, as a list of bytes. */
function asset(more = {}) {
  const shape = { type: 'box', size: [1, 1, 1] };
  return Array.from(saveBody(buildBody({ shape, sampling: { method: 'grid', spacing: 0.25 }, ...more })));
}

/** Kinds of files: what a case of it consists of, the damaged one first. */
export const BASES = {
  'cube.obj': obj,
  'cube.ply': plyText,
  'little.ply': () => plyBytes(true),
  'big.ply': () => plyBytes(false),
  'cube.stl': stlText,
  'binary.stl': stlBytes,
  'cube.gltf': gltf,
  'cube.glb': glb,
  'particles.txt': particles,
  'clusters.json': clusters,
  'thing.pliant': asset,
  'levels.pliant': () => asset({ material: { raw: {} }, clustering: { count: 6 }, levels: {} }),
  'scene.json': () => JSON.stringify(scene(), null, 1),
  'research.json': () => JSON.stringify(researchScene(), null, 1),
};
