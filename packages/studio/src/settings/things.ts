import type { SceneJson } from '../sceneDocument.js';
import { type Box, freeName, namesOf } from '../userFiles/ownScene.js';
import { bodyName } from './parts.js';

type Entry = Record<string, unknown>;
type Vec = [number, number, number];

/** A body or an obstacle of a scene, by its place in its list. */
export interface Thing {
  kind: 'body' | 'obstacle';
  at: number;
}

const LISTS = { body: 'bodies', obstacle: 'colliders' } as const;
const listOf = (json: SceneJson, kind: Thing['kind']) => (json[LISTS[kind]] ?? []) as Entry[];
const withList = (json: SceneJson, kind: Thing['kind'], list: Entry[]): SceneJson => {
  const { [LISTS[kind]]: _, ...others } = json;
  return (list.length > 0 ? { ...json, [LISTS[kind]]: list } : others) as SceneJson;
};

export const thingsOf = (json: SceneJson): Thing[] =>
  (['body', 'obstacle'] as const).flatMap((kind) => listOf(json, kind).map((_, at) => ({ kind, at })));

export function nameOf(json: SceneJson, { kind, at }: Thing): string {
  if (kind === 'body') return bodyName(json, at);
  const { name, type } = listOf(json, kind)[at] ?? {};
  return String(name ?? type);
}

/** Things that can be added, of a size of 1. */
export const NEW_BODIES: Record<string, { words: string; geometry: Entry; height: number }> = {
  ball: { words: 'Ball', geometry: { type: 'sphere', radius: 0.5 }, height: 1 },
  box: { words: 'Box', geometry: { type: 'box', size: [0.8, 0.8, 0.8] }, height: 0.8 },
  capsule: { words: 'Capsule', geometry: { type: 'capsule', radius: 0.25, height: 1 }, height: 1 },
  ring: { words: 'Ring', geometry: { type: 'torus', radius: 0.4, tube: 0.15 }, height: 0.3 },
};
export const NEW_OBSTACLES: Record<string, { words: string; of: (at: Vec, size: number) => Entry }> = {
  ground: { words: 'Ground', of: ([, y]) => ({ type: 'plane', normal: [0, 1, 0], offset: y }) },
  ball: { words: 'Ball', of: (at, size) => ({ type: 'sphere', centre: at, radius: 0.3 * size }) },
  box: { words: 'Box', of: (at, size) => ({ type: 'box', size: [size, 0.3 * size, size], position: at }) },
  bar: {
    words: 'Bar',
    of: ([x, y, z], size) => ({ type: 'capsule', from: [x - size, y, z], to: [x + size, y, z], radius: 0.1 * size }),
  },
};

const round = (value: number) => Number(value.toPrecision(4));
/** The middle of a box, off by at most 1.6 % of its size: sampled bodies are a hair off round numbers. */
function middleOf({ min, max }: Box): Vec {
  const size = Math.max(1e-6, ...max.map((high, axis) => high - min[axis]));
  const digits = Math.min(9, Math.max(0, Math.ceil(1.5 - Math.log10(size))));
  return min.map((low, axis) => Number(((low + max[axis]) / 2).toFixed(digits)) || 0) as unknown as Vec;
}
/** Size of new things in a scene (m): a third of it. */
const sizeIn = ({ min, max }: Box) => round(Math.max(0.1, ...[0, 1, 2].map((axis) => max[axis] - min[axis])) / 3);

/** `room`: the box of all bodies at the start. A new body is above it. */
export function addBody(json: SceneJson, kind: string, room: Box): SceneJson {
  const { geometry, height } = NEW_BODIES[kind];
  const size = sizeIn(room);
  const [x, , z] = middleOf(room);
  const body = {
    name: freeName(kind, namesOf(json)),
    geometry,
    sampling: { count: 1000 },
    material: { preset: 'softRubber', young: 2e5 },
    scale: size,
    position: [x, round(room.max[1] + (0.1 + height / 2) * size), z],
  };
  return withList(json, 'body', [...json.bodies, body]);
}

/** A new obstacle is below all bodies, or the ground at their lowest point. */
export function addObstacle(json: SceneJson, kind: string, room: Box): SceneJson {
  const size = sizeIn(room);
  const [x, , z] = middleOf(room);
  const low = round(room.min[1] - (kind === 'ground' ? 0 : 0.5 * size));
  const list = listOf(json, 'obstacle');
  const name = freeName(
    kind,
    list.map((_, at) => nameOf(json, { kind: 'obstacle', at })),
  );
  return withList(json, 'obstacle', [...list, { name, ...NEW_OBSTACLES[kind].of([x, low, z], size), friction: 0.5 }]);
}

/** The scene with a thing once more, beside the first by `by`. */
export function duplicate(json: SceneJson, thing: Thing, by: Vec): SceneJson {
  const list = listOf(json, thing.kind);
  const { copies: _, ...first } = list[thing.at];
  const taken = thing.kind === 'body' ? namesOf(json) : list.map((_, at) => nameOf(json, { ...thing, at }));
  const copy = { ...first, name: freeName(nameOf(json, thing), taken) };
  const next = withList(json, thing.kind, [...list, copy]);
  return move(next, { ...thing, at: list.length }, by);
}

/** The scene without a thing, and without mention of it. @throws if it is the last body. */
export function remove(json: SceneJson, thing: Thing): SceneJson {
  const list = listOf(json, thing.kind);
  if (thing.kind === 'body' && list.length === 1)
    throw new Error('A scene has at least one body: add another one before you delete this one.');
  const gone = thing.kind === 'body' ? namesWithCopies(json, thing.at) : [];
  const next = withList(
    json,
    thing.kind,
    list.filter((_, at) => at !== thing.at),
  );
  for (const key of ['clamps', 'forceFields', 'cuts'] as const) {
    const entries = next[key] as Entry[] | undefined;
    if (entries) next[key] = entries.flatMap((entry) => without(entry, gone));
  }
  return next;
}

/** An entry that names bodies, without those that are gone; nothing if it named only these. */
function without(entry: Entry, gone: readonly string[]): Entry[] {
  if (gone.includes(entry['body'] as string)) return [];
  const named = entry['bodies'] as string[] | undefined;
  if (!named?.some((name) => gone.includes(name))) return [entry];
  const left = named.filter((name) => !gone.includes(name));
  return left.length > 0 ? [{ ...entry, bodies: left }] : [];
}

function namesWithCopies(json: SceneJson, at: number): string[] {
  const one = { ...json, bodies: [{ name: bodyName(json, at), ...json.bodies[at] }] };
  return namesOf(one);
}

/** Where the position of a thing is in the scene file: bodies and obstacles differ. */
function pointsOf({ kind, at }: Thing, json: SceneJson): string[] {
  const entry = listOf(json, kind)[at];
  if (kind === 'body') return ['position'];
  switch (entry['type']) {
    case 'sphere':
      return ['centre'];
    case 'cylinder':
      return ['point'];
    case 'capsule':
      return ['from', 'to'];
    default:
      return ['position'];
  }
}

/** Position of a thing (m); of a plane the point of it that is nearest to the origin, unless it has one. */
export function positionOf(json: SceneJson, thing: Thing): Vec {
  const entry = listOf(json, thing.kind)[thing.at];
  const points = pointsOf(thing, json).map((key) => entry[key] as Vec | undefined);
  if (points[0] === undefined && entry['type'] === 'plane') return onPlane(entry);
  const [first = [0, 0, 0], last = first] = points;
  return [0, 1, 2].map((axis) => round((first[axis] + last[axis]) / 2)) as unknown as Vec;
}

function onPlane({ normal, offset = 0 }: Entry): Vec {
  const n = normal as Vec;
  const square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  // The schema's n·x ≥ offset holds for the normal of length 1.
  const factor = (offset as number) / Math.sqrt(square);
  return n.map((component) => round(component * factor) || 0) as unknown as Vec;
}

/** The scene with a thing displaced. Copies of a body stay: they have places of their own. */
export function move(json: SceneJson, thing: Thing, by: Vec): SceneJson {
  const list = listOf(json, thing.kind);
  const shifted = (point: unknown) => ((point as Vec | undefined) ?? [0, 0, 0]).map((c, axis) => round(c + by[axis]));
  const { ...entry } = list[thing.at];
  if (entry['type'] === 'plane' && thing.kind === 'obstacle' && !entry['position']) {
    entry['position'] = onPlane(entry);
    delete entry['offset'];
  }
  for (const key of pointsOf(thing, json)) entry[key] = shifted(entry[key]);
  const frames = entry['keyframes'] as Entry[] | undefined;
  if (frames)
    entry['keyframes'] = frames.map((one) => (one['position'] ? { ...one, position: shifted(one['position']) } : one));
  return withList(
    json,
    thing.kind,
    list.map((one, at) => (at === thing.at ? entry : one)),
  );
}

/** The body of a name: its place in the list, and which of its copies it is (0: itself). Pieces are what they came from. */
export function findNamed(json: SceneJson, name: string): { at: number; copy: number } | undefined {
  const all = json.bodies.flatMap((_, at) => namesWithCopies(json, at).map((own, copy) => ({ own, at, copy })));
  const fits = all.filter(({ own }) => name === own || name.startsWith(`${own} `));
  return fits.sort((a, b) => b.own.length - a.own.length)[0];
}

/** The scene with the body of a name displaced: one of the list, one of its copies, or what a piece came from. */
export function moveNamed(json: SceneJson, name: string, by: Vec): SceneJson {
  const found = findNamed(json, name);
  if (!found) return json;
  const { at, copy } = found;
  if (copy === 0) return move(json, { kind: 'body', at }, by);
  const body = json.bodies[at];
  const copies = (body['copies'] as Entry[]).map((one, c) => {
    const from = (one['position'] ?? body['position'] ?? [0, 0, 0]) as Vec;
    return c === copy - 1 ? { ...one, position: from.map((x, axis) => round(x + by[axis])) } : one;
  });
  return withList(
    json,
    'body',
    json.bodies.map((one, k) => (k === at ? { ...one, copies } : one)),
  );
}
