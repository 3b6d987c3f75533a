import { buildWorld, loadScene, parseClusterFile, parseParticles, readMesh, splitClusters } from '@pliant/scene';
import { loadBody, PliantError, World } from 'pliant';
import { sealAsset } from '../../packages/pliant/dist/asset/bytes.js';
import { Finding, thrown } from '../core/finding.mjs';
import { printCase } from '../core/printCase.mjs';
import { BASES } from './bases.mjs';
import { mutate } from './mutate.mjs';

/** Damaged files of every kind: they are read, or refused with what is wrong with them; what is read can be built and stepped. */
export const files = {
  generate(random) {
    const name = random.pick(Object.keys(BASES));
    const content = mutate(BASES[name](), name, random);
    // Behind a right checksum the damage is found by the checks of the content.
    return { name, content: name.endsWith('.pliant') && random.chance(0.8) ? sealed(content) : content };
  },
  execute,
  script: (data) => printCase('files', data),
  mayChange: ([first]) => first === 'content',
};

async function execute({ name, content }, { at, beat }) {
  const read = async (path) => {
    const base = path.replace(/^.*\//, '');
    if (base === name) return bytesOf(content);
    if (!BASES[base]) throw Object.assign(new Error('not found'), { code: 'ENOENT' });
    return bytesOf(BASES[base]());
  };
  const outcome = async (where, act) => {
    at(0, `${where} ${name}`);
    try {
      return await act();
    } catch (error) {
      if (error instanceof PliantError) checkRefusal(error);
      else throw thrown(error, `${where} ${name}`);
    }
  };
  const bytes = bytesOf(content);
  if (/scene|research/.test(name)) {
    const scene = await outcome('load', () => loadScene(name, read));
    if (scene) await outcome('build', () => runScene(scene, beat));
    for (const { name: variant } of scene?.variants ?? []) {
      const changed = await outcome('load a variant of', () => loadScene(name, read, { variant }));
      if (changed) await outcome('build a variant of', () => runScene(changed, beat));
    }
    return { read: scene ? 1 : 0, refused: scene ? 0 : 1 };
  }
  const parsed = await outcome('read', () => parse(name, bytes));
  if (parsed) await outcome('build', () => buildFrom(parsed, beat));
  return { read: parsed ? 1 : 0, refused: parsed ? 0 : 1 };
}

const bytesOf = (content) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);

/** The bytes of an asset with the checksum and the length that they should have. */
function sealed(content) {
  const bytes = Uint8Array.from(content);
  if (bytes.length < 32) return content;
  new DataView(bytes.buffer).setUint32(12, bytes.length, true);
  return Array.from(sealAsset(bytes));
}

async function parse(name, bytes) {
  if (name.endsWith('.pliant')) return { built: loadBody(bytes) };
  if (name === 'particles.txt') return { points: parseParticles(bytes, name).positions };
  if (name === 'clusters.json')
    return { clusters: splitClusters(await parseClusterFile(bytes, name), [{ name: 'points', particles: 27 }], name) };
  const mesh = await readMesh(bytes, name);
  return { mesh: { positions: mesh.positions, indices: mesh.indices } };
}

/** Particles that are built at most: a file may ask for millions, which take their time. */
const FEW = 60;

async function buildFrom({ points, mesh, clusters, built }, beat) {
  const world = await World.create({ backend: 'ts' });
  beat();
  if (built) world.addBody(built).getSkin().update();
  else if (mesh)
    world
      .addBody({ mesh, sampling: { count: FEW } })
      .getSkin()
      .update();
  else if (points) world.addBody({ points });
  else world.addBody({ points: Array.from({ length: 81 }, (_, k) => (k * 7) % 11), clusters: clusters[0] });
  stepAndCheck(world, beat, () => {});
}

async function runScene(scene, beat) {
  for (const { options } of scene.bodies)
    if (options.sampling)
      options.sampling = {
        ...options.sampling,
        spacing: undefined,
        count: options.sampling.count > 5e6 ? options.sampling.count : Math.min(FEW, options.sampling.count ?? FEW),
      };
  const { world, cuts } = await buildWorld(scene, { backend: 'ts' });
  stepAndCheck(world, beat, () => cuts.due());
}

function stepAndCheck(world, beat, each) {
  try {
    for (let k = 0; k < 3; k++, beat()) {
      each();
      world.step();
    }
    const faults = world.validate();
    if (faults.length > 0) throw new Finding('validate', faults[0]);
    if (!world.positions.every(Number.isFinite)) throw new Finding('not finite', 'a position is not finite');
  } finally {
    world.dispose();
  }
}

function checkRefusal({ message, path }) {
  if (!message || !path)
    throw new Finding(
      'poor refusal',
      `a refusal says ${JSON.stringify(message)} of the option ${JSON.stringify(path)}`,
    );
  if (message.length > 2000)
    throw new Finding('poor refusal', `a refusal of ${message.length} characters: ${message.slice(0, 80)}`);
}
