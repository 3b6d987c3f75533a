import { shorten } from '@pliant/scene';
import { STAGES, type World } from 'pliant';
import { caption, printable } from './printable.js';
import { type FrameStats, frameStats, type RunStats } from './stats.js';

/** Two columns, the first as wide as its widest entry. Line breaks in names are removed. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([name, value]) => [shorten(printable(name).replaceAll('\n', ' '), 100), caption(value, 500)]);
  const width = cells.reduce((most, [name]) => Math.max(most, name.length), 0);
  return cells.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('');
}

/** The results of a run as a table. */
export function runTable(stats: RunStats, world: World): string {
  const { step } = stats;
  const last = frameStats(world, []);
  return columns([
    ['particles', changed(stats.particles)],
    ['clusters', changed(stats.clusters)],
    ['memberships', String(stats.memberships)],
    ['load', `${stats.load.seconds.toFixed(2)} s`],
    ['steps', `${step.count} of ${milliseconds(1000 * stats.dt)} (${(step.count * stats.dt).toFixed(2)} s)`],
    [
      'time per step',
      `${milliseconds(step.meanMs)} (median ${milliseconds(step.medianMs)}, 95 % below ${milliseconds(step.p95Ms)})`,
    ],
    ...STAGES.map((stage) => [`  ${stage}`, milliseconds(step.stages[stage])] as const),
    [
      'real time',
      step.meanMs > 0
        ? `${paceOf((1000 * stats.dt) / step.meanMs)} (${stats.backend}, ${stats.threads} ${stats.threads === 1 ? 'thread' : 'threads'})`
        : 'no steps',
    ],
    ['mass change', relative(last.mass, stats.frames[0].mass)],
    ...momenta(stats.frames[0], last, world),
    ['largest stretch', `${last.maxStretch.toFixed(4)} at the end`],
    ['finite', stats.finite ? 'yes' : 'NO: a body was stopped because it was no longer finite'],
  ]);
}

const changed = ({ initial, final }: { initial: number; final: number }) =>
  initial === final ? String(final) : `${initial} at first, ${final} at the end`;

const milliseconds = (ms: number) => `${ms < 0.1 ? ms.toFixed(4) : ms.toFixed(3)} ms`;

const relative = (now: number, before: number) =>
  now === before ? '0 (exact)' : ((now - before) / before).toExponential(1);

/** Momentum beyond that given by gravity, as a velocity of the whole mass: only if nothing else acts on the bodies. */
function momenta(first: FrameStats, last: FrameStats, world: World): [string, string][] {
  const actors = world.colliders.length + world.clamps.length + world.forceFields.length;
  if (actors > 0)
    return [['momentum change', `not a free scene (${actors} colliders, clamps and force fields act on it)`]];
  const given = world.gravity.map((g) => g * last.mass * last.time);
  const drift = Math.hypot(...[0, 1, 2].map((a) => last.momentum[a] - first.momentum[a] - given[a])) / last.mass;
  const [before, after] = [spin(first), spin(last)];
  const turn = Math.hypot(...[0, 1, 2].map((a) => after[a] - before[a])) / (last.mass * last.rms ** 2);
  return [
    ['momentum change', `${drift.toExponential(1)} m/s of the whole mass, beyond gravity`],
    ['angular momentum change', `${turn.toExponential(1)} rad/s of the whole mass`],
  ];
}

/** Angular momentum about the centre of mass, which gravity does not change. */
function spin({ com: c, momentum: p, angularMomentum: l }: FrameStats): number[] {
  return [l[0] - (c[1] * p[2] - c[2] * p[1]), l[1] - (c[2] * p[0] - c[0] * p[2]), l[2] - (c[0] * p[1] - c[1] * p[0])];
}

/** How a run goes beside real time; `ratio` is simulated time over the time it took. */
const paceOf = (ratio: number) =>
  ratio >= 1 ? `${ratio.toFixed(1)} times faster` : `${(1 / ratio).toFixed(1)} times slower`;
