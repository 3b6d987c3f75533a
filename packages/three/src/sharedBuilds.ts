import {
  type AddOptions,
  type Body,
  type BodyOptions,
  type BuiltBody,
  buildBody,
  buildBodyAsync,
  type World,
} from 'pliant';

/** Builds kept for a world. The one that was asked for the longest time ago goes first. */
const KEPT = 16;

/** Difference of coordinates, as a share of the largest, up to which two meshes are the same: they were turned back from where their objects stand. */
const SAME = 1e-5;

interface Kept {
  options: BodyOptions;
  built: BuiltBody | Promise<BuiltBody>;
}

const builds = new WeakMap<World, Kept[]>();

/** Options of `AddOptions`, which do not change a build. */
const ADDED: Required<{ [Key in keyof AddOptions]: true }> = {
  name: true,
  groups: true,
  rotation: true,
  position: true,
  velocity: true,
  angularVelocity: true,
  stretch: true,
  stretchCentre: true,
};

/** The options that a build depends on, and those with which it is added to a world. */
function divideOptions(options: BodyOptions): [build: BodyOptions, add: AddOptions] {
  const [build, add]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [key, value] of Object.entries(options))
    if (value !== undefined) (key in ADDED ? add : build)[key] = value;
  return [build as BodyOptions, add as AddOptions];
}

/** Whether bodies of these options can have one build: functions depend on where the body is. */
const canShare = (options: BodyOptions): boolean => !hasFunction(options);

/** The build of these options for a world: one that was made before for equal options, or a new one. */
function sharedBuild(world: World, options: BodyOptions): BuiltBody {
  const kept = find(world, options);
  // One that is still being built in a thread cannot be waited for.
  if (kept && !(kept.built instanceof Promise)) return kept.built;
  const built = buildBody(options);
  if (kept) kept.built = built;
  else keep(world, { options, built });
  return built;
}

/** The same, built in a thread. */
async function sharedBuildAsync(world: World, options: BodyOptions): Promise<BuiltBody> {
  const known = find(world, options);
  if (known) return await known.built;
  const built = buildBodyAsync(options);
  const kept: Kept = { options, built };
  keep(world, kept);
  try {
    kept.built = await built;
  } catch (error) {
    const list = builds.get(world)!;
    list.splice(list.indexOf(kept), 1);
    throw error;
  }
  return kept.built;
}

/** Adds a body to a world, and builds it only if no equal one was built for that world. */
export function addSharedNow(world: World, options: BodyOptions): Body {
  const [build, add] = divideOptions(options);
  return canShare(build) ? world.addBody(sharedBuild(world, build), add) : world.addBody(options);
}

/**
 * Adds a body to a world without blocking the page, and builds it only if no equal one was built for that world: bodies that differ only in place, velocity, name and groups are equal.
 *
 * @example
 * const shape = { type: 'box', size: [0.2, 0.1, 0.1] } as const;
 * for (let k = 0; k < 50; k++) await addShared(world, { shape, sampling: { count: 100 }, position: [0, 0.05 + 0.1 * k, 0] });
 */
export async function addShared(world: World, options: BodyOptions): Promise<Body> {
  const [build, add] = divideOptions(options);
  if (!canShare(build)) return await world.addBodyAsync(options);
  return world.addBody(await sharedBuildAsync(world, build), add);
}

function find(world: World, options: BodyOptions): Kept | undefined {
  const list = builds.get(world);
  const at = list?.findIndex((kept) => isSame(kept.options, options)) ?? -1;
  if (!list || at < 0) return undefined;
  // The last one used is the last to go.
  const [kept] = list.splice(at, 1);
  list.push(kept);
  return kept;
}

function keep(world: World, kept: Kept): void {
  const list = builds.get(world) ?? [];
  list.push(kept);
  if (list.length > KEPT) list.shift();
  builds.set(world, list);
}

function isSame(a: unknown, b: unknown, key = ''): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
    return isSameList(a as unknown as ArrayLike<number>, b as unknown as ArrayLike<number>, key === 'positions');
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((name) => Object.hasOwn(b, name) && isSame((a as never)[name], (b as never)[name], name))
  );
}

function isSameList(a: ArrayLike<number>, b: ArrayLike<number>, nearly: boolean): boolean {
  if (a.length !== b.length) return false;
  let most = 0;
  if (nearly) for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k]));
  for (let k = 0; k < a.length; k++) if (!(Math.abs(a[k] - b[k]) <= SAME * most)) return false;
  return true;
}

function hasFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.values(value).some(hasFunction);
}
