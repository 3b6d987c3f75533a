import { PliantError } from 'pliant';
import { expect, test } from 'vitest';
import { loadScene } from './loadScene.js';
import { boxScene, gridFile, memory } from './testing/memory.js';

const load = (scene: unknown, files: Record<string, unknown> = {}) =>
  loadScene('scenes/x.json', memory({ 'scenes/x.json': scene, ...files }));
const refusal = async (scene: unknown, files = {}): Promise<string> => {
  try {
    await load(scene, files);
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    return (error as Error).message.replace('scenes/x.json: ', '');
  }
  return 'accepted';
};

test('what a scene leaves out has defaults', async () => {
  const scene = await load(boxScene());
  expect(scene).toMatchObject({
    format: 'pliant',
    title: 'x',
    gravity: [0, -9.81, 0],
    dt: 1 / 60,
    frames: 300,
    actors: [],
    warnings: [],
  });
  expect(scene.bodies[0].options.name).toBe('body 1');
  expect(await loadScene('scenes/x.json', memory({ 'scenes/x.json': boxScene() }), { frames: 7 })).toMatchObject({
    frames: 7,
  });
});

const material = (m: object) => boxScene({}, { material: m });

test.each([
  [material({ raw: { stiffness: 2.5 } }), 'bodies[0].material.raw.stiffness is 2.5; expected a number in [0, 2).'],
  [
    material({ raw: { stiffness: { along: 'x', values: [0.1, 3] } } }),
    'bodies[0].material.raw.stiffness.values[1] is 3; expected a number in [0, 2).',
  ],
  [
    material({ raw: { stiffness: { along: 'w', values: [0, 1] } } }),
    'bodies[0].material.raw.stiffness.along is "w"; expected one of "x", "y", "z".',
  ],
  [
    material({ raw: { stiffness: { along: 'x', value: [0, 1] } } }),
    'bodies[0].material.raw.stiffness.value is not a field of this object (did you mean values?); expected one of along, values, range. Also: bodies[0].material.raw.stiffness.values is missing; expected at least two numbers.',
  ],
  [
    material({ raw: { stiffness: [0.1, 'a'] } }),
    'bodies[0].material.raw.stiffness[1] is "a"; expected a number in [0, 2).',
  ],
  [
    material({ raw: { limit: { gama: 1 } } }),
    'bodies[0].material.raw.limit.gama is not a field of this object (did you mean gamma?); expected one of mode, gamma, omega, iterations.',
  ],
  [material({ young: -1 }), 'bodies[0].material.young is -1; expected a number in [0.001, 1000000000000000].'],
  [material({ poisson: 0.5 }), 'bodies[0].material.poisson is 0.5; expected a number in [0, 0.49].'],
  [
    material({ preset: 'jely' }),
    'bodies[0].material.preset is "jely" (did you mean jelly?); expected one of "jelly", "softRubber", "hardRubber", "foam", "clay", "putty", "dough", "chocolate", "glass", "ceramic", "wood", "flesh".',
  ],
  [boxScene({ substeps: 0 }), 'substeps is 0; expected an integer in [1, 1000].'],
  [boxScene({ substeps: 'many' }), 'substeps is "many"; expected an integer in [1, 1000], or "auto".'],
  [
    material({ raw: { mode: 'cubic' } }),
    'bodies[0].material.raw.mode is "cubic"; expected one of "rigid", "linear", "quadratic".',
  ],
  [
    material({ raw: { areaLimit: { max: 3, from: 0.5 } } }),
    'bodies[0].material.raw.areaLimit.from is 0.5; expected a number of at least 1.',
  ],
  [
    material({ raw: { stiffness: { vertexColour: 'r', values: [0, 1] } } }),
    'bodies[0].material.raw.stiffness asks for vertex colours; expected a body made from a mesh file that has them.',
  ],
  [
    boxScene({}, { material: 'jelly' }),
    'bodies[0].material is "jelly"; expected a material of that name in the scene.',
  ],
  [
    boxScene({ materials: { a: {} } }, { material: 'toString' }),
    'bodies[0].material is "toString"; expected one of "a".',
  ],
  [
    boxScene({ materials: { a: { raw: { damping: 3 } } } }),
    'materials.a.raw.damping is 3; expected a number in [0, 1].',
  ],
  [
    boxScene({}, { geometry: {} }),
    'bodies[0].geometry.type is missing; expected one of "mesh", "particles", "points", "asset", "box", "sphere", "ellipsoid", "cylinder", "capsule", "torus", "sheet", "cord", "union", "difference", "intersection".',
  ],
  [
    boxScene({}, { geometry: { type: 'box', size: [1, 1] } }),
    'bodies[0].geometry.size is [1,1]; expected three numbers above 0.',
  ],
  [
    boxScene({}, { geometry: { type: 'union', of: [{ type: 'box', size: [1, 1, -1] }] } }),
    'bodies[0].geometry.of[0].size[2] is -1; expected a number above 0.',
  ],
  [
    boxScene({}, { geometry: { type: 'mesh', file: 'm.obj' } }),
    'bodies[0].geometry.file: cannot read scenes/m.obj (not found).',
  ],
  [
    boxScene({}, { sampling: undefined }),
    'bodies[0].sampling is missing; expected { spacing } or { count } for a box.',
  ],
  [
    boxScene({}, { sampling: { spacing: 1, count: 3 } }),
    'bodies[0].sampling is {"spacing":1,"count":3}; expected exactly one of spacing and count.',
  ],
  [boxScene({}, { rotation: [1, 2] }), 'bodies[0].rotation is [1,2]; expected four numbers, or { axis, degrees }.'],
  [
    boxScene({}, { rotation: { axis: [0, 0, 0], degrees: 1 } }),
    'bodies[0].rotation.axis is [0,0,0]; expected a direction of non-zero length.',
  ],
  [boxScene({}, { clusters: { file: 'c.json' } }), 'bodies[0].clusters.file: cannot read scenes/c.json (not found).'],
  [
    boxScene({ colliders: [{ type: 'cube' }] }),
    'colliders[0].type is "cube"; expected one of "plane", "sphere", "cylinder", "box", "capsule", "mesh".',
  ],
  [
    boxScene({ '': 1 }),
    '"" is not a field of this object; expected one of title, description, group, try, gravity, dt, substeps, maxSubsteps, frames, materials, bodies, clamps, colliders, forceFields, picks, cuts, cameras, variants.',
  ],
  [
    boxScene({ colliders: [{ type: 'plane', normal: [0, 1, 0], except: 'a' }] }),
    'colliders[0].except is "a"; expected a clamp of that name in the scene.',
  ],
  [
    boxScene({ clamps: [{ region: { type: 'sphere', centre: [0, 0, 0], radius: 1 }, bodies: ['b'] }] }),
    'clamps[0].bodies[0] is "b"; expected one of "body 1".',
  ],
  [boxScene({ dt: 0 }), 'dt is 0; expected a number in (0, 1].'],
  [boxScene({ gravity: [0, 1] }), 'gravity is [0,1]; expected three numbers.'],
  [boxScene({ bodies: [] }), 'bodies is []; expected at least one body.'],
  [
    { bodes: [] },
    'bodes is not a field of this object (did you mean bodies?); expected one of title, description, group, try, gravity, dt, substeps, maxSubsteps, frames, materials, bodies, clamps, colliders, forceFields, picks, cuts, cameras, variants. Also: bodies is missing; expected a list of bodies.',
  ],
  [
    boxScene({ bodes: 1 }),
    'bodes is not a field of this object (did you mean bodies?); expected one of title, description, group, try, gravity, dt, substeps, maxSubsteps, frames, materials, bodies, clamps, colliders, forceFields, picks, cuts, cameras, variants.',
  ],
  [
    '{"bodies": [{"geometry": {"type": "sphere", "radius": 1e999}}]}',
    'bodies[0].geometry.radius is Infinity; expected a number above 0.',
  ],
  ['[1]', 'the file holds no object; expected a scene, { "bodies": [ … ] }.'],
])('case %#: %j is refused by name, value and expectation', async (scene, message) => {
  expect(await refusal(scene)).toBe(message);
});

test('two bodies of one name are refused', async () => {
  const body = { name: 'a', geometry: { type: 'points', points: [[0, 0, 0]] } };
  expect(await refusal({ bodies: [body, body] })).toBe(
    'bodies[1].name is "a", like bodies[0]; expected a name of its own.',
  );
});

test('copies of a body are bodies of their own, with what they say themselves', async () => {
  const scene = await load(
    boxScene(
      {},
      {
        name: 'a',
        position: [0, 1, 0],
        velocity: [1, 0, 0],
        contact: { margin: 0.1 },
        copies: [
          { position: [0, 2, 0] },
          { name: 'last', rotation: { axis: [0, 0, 1], degrees: 180 }, velocity: [0, 0, 0] },
        ],
      },
    ),
  );
  expect(scene.bodies.map(({ path, options }) => [path, options.name])).toEqual([
    ['bodies[0]', 'a'],
    ['bodies[0].copies[0]', 'a 2'],
    ['bodies[0].copies[1]', 'last'],
  ]);
  const [, second, last] = scene.bodies.map((body) => body.options);
  expect(second).toMatchObject({ position: [0, 2, 0], velocity: [1, 0, 0], contact: { margin: 0.1 } });
  expect(last).toMatchObject({ position: [0, 1, 0], velocity: [0, 0, 0] });
  expect(last.rotation).toEqual([0, 0, expect.closeTo(1), expect.closeTo(0)]);
  expect(await refusal(boxScene({}, { name: 'a', copies: [{ name: 'b' }, { name: 'a' }] }))).toBe(
    'bodies[0].copies[1].name is "a", like bodies[0]; expected a name of its own.',
  );
  expect(await refusal(boxScene({}, { copies: [{ scale: 2 }] }))).toBe(
    'bodies[0].copies[0].scale is not a field of this object; expected one of name, rotation, position, velocity, angularVelocity, look, colour.',
  );
});

test.each([
  [{ contact: { mode: 'mesh' } }, 'bodies[0].contact.mode is "mesh"; expected one of "proxies", "surface", "none".'],
  [{ contact: { gamma: 2 } }, 'bodies[0].contact.gamma is 2; expected a number in [0, 1].'],
  [{ contact: { margin: -1 } }, 'bodies[0].contact.margin is -1; expected a number of at least 0.'],
  [
    { contact: { friction: 1 } },
    'bodies[0].contact.friction is not a field of this object (did you mean fraction?); expected one of mode, self, exits, fraction, margin, gamma, response, obstacles.',
  ],
  [{ material: { restitution: 1.5 } }, 'bodies[0].material.restitution is 1.5; expected a number in [0, 1].'],
  [{ material: { friction: -1 } }, 'bodies[0].material.friction is -1; expected a number of at least 0.'],
  [{ material: { raw: { bodyDamping: 2 } } }, 'bodies[0].material.raw.bodyDamping is 2; expected a number in [0, 1].'],
])('%j of a body is refused by name', async (body, message) => {
  expect(await refusal(boxScene({}, body))).toBe(message);
});

test('a missing scene file is refused by its path', async () => {
  await expect(loadScene('no.json', memory({}))).rejects.toThrow('scene: cannot read no.json (not found).');
});

test('files are read from beside the scene: particles, values and clusters', async () => {
  const clusters = [{ members: Array.from({ length: 8 }, (_, i) => i) }];
  const scene = await load(
    {
      bodies: [
        {
          geometry: { type: 'particles', file: 'data/../data/p.txt' },
          material: { raw: { stiffness: { file: 's.txt' } } },
          clusters: { file: 'c.json' },
          rotation: { axis: [0, 2, 0], degrees: 90 },
        },
      ],
    },
    {
      'scenes/data/p.txt': gridFile(2, 1),
      'scenes/s.txt': '0 0.1 0.2 0.3\n0.4 0.5 0.6 0.7\n',
      'scenes/c.json': { clusters },
    },
  );
  const { options, source } = scene.bodies[0];
  expect(source).toBe('scenes/data/p.txt');
  expect(options.points).toHaveLength(24);
  expect(options.material!.raw!.stiffness).toEqual(Float64Array.from([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]));
  expect(options.clusters).toEqual(clusters);
  expect(options.rotation).toEqual([0, expect.closeTo(Math.SQRT1_2), 0, expect.closeTo(Math.SQRT1_2)]);
});

test.each(['../p.txt', '/data/p.txt', 'a/../../p.txt', 'C:/p.txt', 'http://x.org/p.txt', 'file:///p.txt', '..\\p.txt'])(
  'a scene does not read %s, outside of its folder, unless it may',
  async (file) => {
    const scene = { bodies: [{ geometry: { type: 'particles', file } }] };
    const asked: string[] = [];
    const read = async (path: string) => {
      asked.push(path);
      return new TextEncoder().encode(path === 'scenes/x.json' ? JSON.stringify(scene) : '0 0 0');
    };
    await expect(loadScene('scenes/x.json', read)).rejects.toThrow(
      /^scenes\/x\.json: bodies\[0\]\.geometry\.file: cannot read .*p\.txt \(it is outside of scenes; expected .*--allow-outside\)\.$/,
    );
    expect(asked).toEqual(['scenes/x.json']);
    expect((await loadScene('scenes/x.json', read, { allowOutside: true })).bodies).toHaveLength(1);
  },
);

test('what a mesh names in its turn stays inside too', async () => {
  const gltf = (uri: string) => ({
    asset: { version: '2.0' },
    buffers: [{ byteLength: 36, uri }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  });
  const scene = boxScene({}, { geometry: { type: 'mesh', file: 'm/a.gltf' } });
  for (const uri of ['../../b.bin', '%2e%2e/..%2fb.bin', '/b.bin', 'https://x.org/b.bin'])
    expect(await refusal(scene, { 'scenes/m/a.gltf': gltf(uri), 'b.bin': new Uint8Array(36) }), uri).toMatch(
      /could not be read \(it is outside of scenes;/,
    );
  const { bodies } = await load(scene, { 'scenes/m/a.gltf': gltf('../b.bin'), 'scenes/b.bin': new Uint8Array(36) });
  expect(bodies[0].options.mesh!.positions).toHaveLength(9);
});

test('a mesh brings its vertex colours as material values', async () => {
  const ply = [
    'ply\nformat ascii 1.0\nelement vertex 4',
    ...['x', 'y', 'z'].map((a) => `property float ${a}`),
    ...['red', 'green', 'blue'].map((c) => `property uchar ${c}`),
    'element face 4\nproperty list uchar int vertex_indices\nend_header',
    '0 0 0 0 0 0\n1 0 0 255 0 0\n0 1 0 0 255 0\n0 0 1 255 255 255',
    '3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n',
  ].join('\n');
  const field = { vertexColour: 'r', values: [0.2, 1.2] };
  const scene = await load(
    boxScene({}, { geometry: { type: 'mesh', file: 'm.ply' }, material: { raw: { stiffness: field } } }),
    { 'scenes/m.ply': ply },
  );
  const { stiffness } = scene.bodies[0].options.material!.raw!;
  expect(Array.from((stiffness as { vertices: Float64Array }).vertices)).toEqual(
    [0.2, 1.2, 0.2, 1.2].map((v) => expect.closeTo(v)),
  );
});

test('a gradient runs from one end of the body to the other, or over the range given', async () => {
  const at = async (field: object, ...place: [number, number, number]) => {
    const scene = await load(material({ raw: { stiffness: field } }));
    return (scene.bodies[0].options.material!.raw!.stiffness as (...p: number[]) => number)(...place);
  };
  expect(await at({ along: 'y', values: [0, 1, 0.5] }, 9, -0.5, 9)).toBe(0);
  expect(await at({ along: 'y', values: [0, 1, 0.5] }, 9, -0.25, 9)).toBeCloseTo(0.5);
  expect(await at({ along: 'y', values: [0, 1, 0.5] }, 9, 0.25, 9)).toBeCloseTo(0.75);
  expect(await at({ along: 'z', values: [0, 1], range: [0, 0.2] }, 0, 0, 0.05)).toBeCloseTo(0.25);
  expect(await at({ along: 'z', values: [0, 1], range: [0, 0.2] }, 0, 0, 0.5)).toBe(1);
});

test('yield, flow rate, hardening and toughness reach the body', async () => {
  const { warnings, bodies } = await load(
    material({ yield: 0.1, toughness: 2, raw: { flowRate: 0.5, hardening: -0.02 } }),
  );
  expect(bodies[0].options.material).toMatchObject({
    yield: 0.1,
    toughness: 2,
    raw: { flowRate: 0.5, hardening: -0.02 },
  });
  expect(warnings).toEqual([]);
});

test('parts of a shape are turned and smooth, however deep they are', async () => {
  const turn = { axis: [0, 0, 1], degrees: 180 };
  const of = [
    { type: 'union', of: [{ type: 'sphere', radius: 1, rotation: [0, 0, 1, 1] }], rotation: turn, smooth: 0.1 },
  ];
  const { bodies } = await load(boxScene({}, { geometry: { type: 'difference', of }, sampling: { spacing: 0.5 } }));
  expect(bodies[0].options.shape).toMatchObject({
    of: [{ smooth: 0.1, rotation: [0, 0, 1, expect.closeTo(0)], of: [{ rotation: [0, 0, 1, 1] }] }],
  });
});

test('how levels sum reaches the body', async () => {
  const sums = 'particles';
  const { bodies } = await load(boxScene({}, { levels: { sums, weights: 'uniform' } }));
  expect(bodies[0].options.levels).toMatchObject({ sums });
  expect(await refusal(boxScene({}, { levels: { sums: 'all' } }))).toContain(
    'bodies[0].levels.sums is "all"; expected one of "nested", "particles".',
  );
});
