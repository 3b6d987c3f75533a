import { type BuiltScene, buildWorld, type SceneDescription } from '@pliant/scene';
import { loadSceneFile } from '@pliant/scene/node';
import type { Body, Collider } from 'pliant';
import type { Io } from './io.js';
import { caption, warningLines } from './printable.js';
import { buildOptions, type RunOptions } from './run.js';
import { columns } from './table.js';

type Row = readonly [string, string];

/** `pliant info`: describes a scene without a step. */
export async function info(
  path: string,
  options: Pick<RunOptions, 'clusters' | 'seed' | 'variant' | 'allowOutside'>,
  io: Io,
): Promise<void> {
  const scene = await loadSceneFile(path, { allowOutside: options.allowOutside, variant: options.variant });
  const built = await buildWorld(scene, await buildOptions({ ...options, backend: 'ts' }));
  io.err(warningLines([...scene.warnings, ...built.warnings]));
  const title = caption(`${scene.title}${scene.description ? `: ${scene.description}` : ''}`);
  io.out(`${title}\n${columns(sceneRows(scene, built))}`);
  scene.bodies.forEach(({ source }, k) => {
    io.out(`\n${caption(built.bodies[k].name)}\n${columns(bodyRows(built.bodies[k], built, source))}`);
  });
  if (scene.variants?.length) io.out(`\nvariants\n${columns(variantRows(scene))}`);
  const actors = actorRows(scene, built);
  if (actors.length > 0) io.out(`\nclamps and colliders\n${columns(actors)}`);
  const fields = fieldRows(scene, built);
  if (fields.length > 0) io.out(`\nforce fields\n${columns(fields)}`);
  const picks = (scene.picks ?? []).map(
    ({ path, name, body }): Row => [name ? `${path} ${name}` : path, `holds ${body}`],
  );
  if (picks.length > 0) io.out(`\npicks\n${columns(picks)}`);
  built.world.dispose();
}

function sceneRows(scene: SceneDescription, { world, bodies }: BuiltScene): Row[] {
  return [
    ['file', `${scene.path} (${scene.format === 'research' ? 'a research scene' : "Pliant's own format"})`],
    ['bodies', String(bodies.length)],
    ['particles', String(world.particleCount)],
    ['clusters', String(world.clusterCount)],
    ['memberships', String(world.membershipCount)],
    ['mass', `${short(world.measure().mass)} kg`],
    ['gravity', `${scene.gravity.map(short).join(', ')} m/s²`],
    ['step', `${short(1000 * scene.dt)} ms${substepsText(scene)}, ${scene.frames} frames by default`],
    ...(scene.cameras.length > 0 ? ([['cameras', scene.cameras.map((c) => c.name).join(', ')]] as const) : []),
  ];
}

/** The variants of the file, each with the first line of its description; the one that is shown is marked. */
const variantRows = ({ variants = [], variant }: SceneDescription): Row[] =>
  variants.map(({ name, description }) => [
    `${variant === name ? '* ' : '  '}${name}`,
    caption(description.split('\n')[0]) || 'no description',
  ]);

/** ", 3 substeps", where the scene says how many. */
const substepsText = ({ substeps, format }: SceneDescription): string =>
  substeps === 'auto' || format === 'research' ? '' : `, ${substeps} substeps`;

function bodyRows(body: Body, { world }: BuiltScene, source: string | undefined): Row[] {
  const { mass, bboxMin, bboxMax } = world.measure(body);
  const { report, radius, particle } = body.clustering;
  const size = bboxMax.map((high, a) => short(high - bboxMin[a]));
  const how =
    report.algorithm === 'explicit' ? 'given' : `${report.algorithm}, ${report.kernel}, radius ${short(radius)} m`;
  return [
    ...(source ? ([['file', source]] as const) : []),
    ['particles', `${body.particleCount}${body.spacing ? `, ${short(body.spacing)} m apart` : ''}`],
    ['mass', `${short(mass)} kg`],
    ...youngRows(body),
    ['size', `${size.join(' × ')} m`],
    ['clusters', `${body.clusterCount} (${how})`],
    ...(body.levels.length > 1 ? ([['levels', levelsText(body)]] as const) : []),
    ['memberships', `${particle.length}, ${(particle.length / body.particleCount).toFixed(2)} per particle`],
    ...report.notes.map((note) => ['note', note] as const),
  ];
}

/** Young's modulus that a body with an elastic law reaches on average, and the largest that it would reach everywhere. Where that is less than asked for, a warning says what would help. */
function youngRows({ young, maxYoung }: Body): Row[] {
  if (young === undefined) return [];
  const most = Number.isFinite(maxYoung) ? `, up to ${pascals(maxYoung!)} in all clusters` : '';
  return [['young', `${pascals(young)}${most}`]];
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

/** "45.1 kPa". */
function pascals(value: number): string {
  const power = Math.min(PREFIXES.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3 + 1e-9)));
  return `${Number((value / 1000 ** power).toPrecision(3))} ${PREFIXES[power]}Pa`;
}

/** "101 / 12 / 1 clusters, weights 0.2 / 0.3 / 0.5". */
function levelsText({ levels }: Body): string {
  const clusters = levels.map((level) => level.clusters).join(' / ');
  return `${clusters} clusters, weights ${levels.map((level) => Number(level.weight.toPrecision(3))).join(' / ')}`;
}

function actorRows(scene: SceneDescription, { clamps, colliders }: BuiltScene): Row[] {
  return scene.actors.map((actor) => {
    const name = actor.name ? `${actor.path} ${actor.name}` : actor.path;
    if (actor.kind === 'clamp') {
      const clamp = clamps.get(actor.path);
      return [
        name,
        clamp
          ? `clamp, holds ${clamp.particleCount} particles${until(clamp.lifetime)}`
          : 'clamp, holds nothing: left out',
      ];
    }
    const collider = colliders.get(actor.path)!;
    const source = actor.source ? ` of ${actor.source}` : '';
    return [name, `${collider.type}${source}, ${collider.law} law${moving(collider)}${until(collider.lifetime)}`];
  });
}

function moving({ motion }: Collider): string {
  if (motion.type === 'keyed')
    return motion.loop ? ', moves through keyframes again and again' : ', moves through keyframes';
  if (motion.type !== 'steady') return '';
  const [speed, spin] = [Math.hypot(...motion.velocity), Math.hypot(...motion.spin)];
  return `${speed > 0 ? `, ${short(speed)} m/s` : ''}${spin > 0 ? `, ${short(spin)} rad/s` : ''}`;
}

function fieldRows(scene: SceneDescription, { forceFields }: BuiltScene): Row[] {
  return scene.forceFields.map(({ path, name, bodies }) => {
    const { type, as, lifetime } = forceFields.get(path)!;
    const on = bodies ? `, on ${bodies.join(', ')}` : '';
    return [name ? `${path} ${name}` : path, `${type}, as ${as}${on}${until(lifetime)}`];
  });
}

const until = (lifetime: number) => (Number.isFinite(lifetime) ? `, for ${short(lifetime)} s` : '');

/** Five digits are enough to read. */
const short = (value: number): string => String(Number(value.toPrecision(5)));
