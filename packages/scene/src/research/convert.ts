import type { BodyOptions, MaterialOptions, RawOptions, Vec3 } from 'pliant';
import { type BodyDescription, DEFAULT_FRAMES, type SceneDescription } from '../description.js';
import { parseParticles } from '../files/particles.js';
import { folderOf, isAbsolute, resolvePath, stemOf } from '../paths.js';
import { type Read, readFirst } from '../readFile.js';
import { show } from '../show.js';
import { researchClustering } from './clustering.js';
import { researchActors } from './drivers.js';
import { isVec3, Reader } from './reader.js';
import { unusedFields } from './unused.js';

const EARTH: Vec3 = [0, -9.81, 0];

/**
 * Reads a research scene into the same description as our own. Every setting is that of the authors' program, so that
 * trajectories can be compared. NOTES.md beside the reference scenes explains the fields.
 */
export async function convertResearchScene(
  data: Record<string, unknown>,
  scenePath: string,
  read: Read,
): Promise<SceneDescription> {
  const scene = new Reader(data, `${scenePath}: `);
  const warnings: string[] = [];
  const material = researchMaterial(scene);
  const clustering = researchClustering(scene);
  const stretch = scene.vec3('initialStretch', [1, 1, 1]);
  const bodies = await researchBodies(scene, scenePath, read, warnings);
  const contact = researchContact(scene);
  const fracture = researchFracture(scene);
  const dt = scene.number('dt', 1 / 60);
  const reclustering = researchReclustering(scene, dt, warnings);
  for (const { options } of bodies)
    Object.assign(options, { material, clustering, stretch, contact, fracture, reclustering });
  const actors = researchActors(scene, warnings);
  const gravity = researchGravity(scene, warnings);
  warnings.push(...unusedFields(scene));
  for (const key of scene.unread()) warnings.push(`${key} is not a field of a research scene: ignored.`);
  return {
    path: scenePath,
    format: 'research',
    title: stemOf(scenePath),
    description: '',
    gravity,
    dt,
    substeps: 1,
    maxSubsteps: 1,
    frames: DEFAULT_FRAMES,
    bodies,
    actors,
    forceFields: [],
    cuts: [],
    cameras: [],
    warnings,
  };
}

function researchMaterial(scene: Reader): MaterialOptions {
  const alpha = scene.number('alpha', 1);
  if (!(alpha >= 0 && alpha < 2)) scene.refuse('alpha', `is ${alpha}; expected a number in [0, 2)`);
  const maxStretch = scene.number('maxStretch', 0.1);
  const plasticity = researchPlasticity(scene);
  return {
    particleMass: scene.number('mass', 0.1),
    // The original's contact moves positions and does not change velocities.
    friction: 0,
    restitution: 0,
    ...researchToughness(scene),
    ...(plasticity && { yield: plasticity.limit }),
    raw: {
      stiffness: alpha,
      damping: scene.number('springDamping', 0),
      dampingMode: 'linear',
      // To the letter of the papers in every step, also of bodies that have flowed or broken (SPEC M3).
      rotation: 'deformation',
      inversion: 'mirror',
      limit: {
        mode: 'paper',
        gamma: scene.number('gamma', maxStretch),
        omega: scene.number('omega', 1),
        iterations: scene.integer('numConstraintIters', 5),
      },
      ...plasticity?.raw,
    },
  };
}

/** NOTES.md, section 3. Without a flow rate nothing yields, whatever the yield is (default 0). */
function researchPlasticity(scene: Reader): { limit: number; raw: RawOptions } | undefined {
  const [flowRate, limit, hardening] = [scene.number('nu', 0), scene.number('yield', 0), scene.number('hardening', 0)];
  if (!(limit >= 0)) scene.refuse('yield', `is ${limit}; expected a number of at least 0`);
  return flowRate > 0 ? { limit, raw: { flowRate, flowMode: 'paper', hardening } } : undefined;
}

/** NOTES.md, section 5. Anything but the text "off" leaves fracture on; without a toughness nothing breaks. */
function researchToughness(scene: Reader): Pick<MaterialOptions, 'toughness'> {
  const toughness = scene.number('toughness', Number.POSITIVE_INFINITY);
  if (!(toughness >= 0)) scene.refuse('toughness', `is ${toughness}; expected a number of at least 0`);
  return scene.raw('fracture') === 'off' ? {} : { toughness };
}

function researchFracture(scene: Reader): BodyOptions['fracture'] {
  const [boost, outliers] = [scene.number('toughnessBoost', 0), scene.number('outlierThreshold', 2)];
  if (!(boost >= 0)) scene.refuse('toughnessBoost', `is ${boost}; expected a number of at least 0`);
  if (!(outliers > 0)) scene.refuse('outlierThreshold', `is ${outliers}; expected a number above 0`);
  // The original's boost without a falloff is NaN and disables fracture; here it fades at once.
  return {
    boost,
    falloff: scene.number('toughnessFalloff', boost > 0 ? 1e6 : 10),
    delay: scene.raw('delayRepeatedFracture') !== 'off',
    outliers,
    minMass: 1e-4,
  };
}

/**
 * NOTES.md, section 7. A negative threshold means none. A minClusters that is no number, which the original refuses,
 * means its default.
 */
function researchReclustering(scene: Reader, dt: number, warnings: string[]): BodyOptions['reclustering'] {
  const threshold = scene.number('clusterFpThreshold', -1);
  const [fadeIn, fadeOut] = [scene.integer('clusterFadeIn', 30), scene.integer('clusterFadeOut', 30)];
  const wanted = scene.raw('minClusters');
  if (wanted !== undefined && typeof wanted !== 'number')
    warnings.push(`minClusters is ${show(wanted)}, which is not a number (the original refuses it): 1 is used.`);
  const minClusters = typeof wanted === 'number' ? scene.integer('minClusters', 1) : 1;
  // The original counts in steps, and looks in every one.
  return threshold > 1 ? { threshold, fadeIn: fadeIn * dt, fadeOut: fadeOut * dt, minClusters, every: dt } : {};
}

/** NOTES.md, section 8. The original's restitution is γ. Anything but the text "off" leaves contact on. */
function researchContact(scene: Reader): BodyOptions['contact'] {
  const fraction = shareOf(scene, 'collisionGeometryThreshold', 0.5);
  const gamma = shareOf(scene, 'collisionRestitution', 0.5);
  if (scene.raw('selfCollisions') === 'off') return { mode: 'none' };
  return { mode: 'proxies', self: true, exits: 'planes', fraction, gamma, response: 'positions' };
}

function shareOf(scene: Reader, key: string, fallback: number): number {
  const value = scene.number(key, fallback);
  if (!(value >= 0 && value <= 1)) scene.refuse(key, `is ${value}; expected a number in [0, 1]`);
  return value;
}

function researchGravity(scene: Reader, warnings: string[]): Vec3 {
  const value = scene.raw('gravity');
  if (value === undefined) return EARTH;
  if (isVec3(value)) return value;
  warnings.push(
    `gravity is ${show(value)}, not three numbers: ignored, as in the original; it stays ${EARTH.join(', ')}.`,
  );
  return EARTH;
}

async function researchBodies(
  scene: Reader,
  scenePath: string,
  read: Read,
  warnings: string[],
): Promise<BodyDescription[]> {
  const bodies: BodyDescription[] = [];
  const names = new Map<string, number>();
  const add = async (file: string, path: string, placement: { scale?: number; position?: Vec3; velocity?: Vec3 }) => {
    const found = await readFirst(read, placesOf(scenePath, file), `${scenePath}: ${path}`, 'particles');
    const particles = parseParticles(found.bytes, found.path);
    warnings.push(...particles.warnings);
    const stem = stemOf(file);
    const use = (names.get(stem) ?? 0) + 1;
    names.set(stem, use);
    const name = use === 1 ? stem : `${stem} ${use}`;
    bodies.push({ path, source: found.path, options: { name, points: particles.positions, ...placement } });
  };
  for (const [k, file] of scene.list('particleFiles').entries()) {
    if (typeof file !== 'string' || file === '')
      scene.refuse(`particleFiles[${k}]`, `is ${show(file)}; expected the name of a file`);
    await add(file, `particleFiles[${k}]`, {});
  }
  for (const { reader, path } of scene.objects('movingParticleFiles')) {
    const position = reader.vec3('offset', [0, 0, 0]);
    const velocity = reader.vec3('velocity', [0, 0, 0]);
    await add(reader.text('filename'), `${path}.filename`, { scale: reader.number('scale', 1), position, velocity });
    for (const key of reader.unread()) warnings.push(`${path}.${key} is not a field of a research scene: ignored.`);
  }
  if (bodies.length === 0)
    scene.refuse('particleFiles', 'and movingParticleFiles are empty; expected at least one file');
  return bodies;
}

/**
 * Places where a particle file may lie. The original was started in the folder above `inputFiles`, and its scenes name
 * files relative to that; a scene that was moved may have its files beside it.
 */
function placesOf(scene: string, file: string): string[] {
  if (isAbsolute(file)) return [file];
  const folder = folderOf(scene);
  const parts = folder.split(/[/\\]/);
  const at = parts.lastIndexOf('inputFiles');
  const above = at < 0 ? [] : [resolvePath(parts.slice(0, at).join('/') || (at > 0 ? '/' : ''), file)];
  return [...above, resolvePath(folder, file), resolvePath('', file)];
}
