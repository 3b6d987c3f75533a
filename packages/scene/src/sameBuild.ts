import type { AddOptions, BodyOptions } from 'pliant';

/** Options that a built body does not depend on: each body of a build has its own. */
const OWN: Required<{ [Key in keyof AddOptions]: true }> = {
  name: true,
  groups: true,
  rotation: true,
  position: true,
  velocity: true,
  angularVelocity: true,
  stretch: true,
  stretchCentre: true,
};

/** Whether two bodies can be made from one build: they differ at most in where they are, how they move, and what they are called. */
export function sameBuild(a: BodyOptions, b: BodyOptions): boolean {
  return sameValue(built(a), built(b));
}

function built(options: BodyOptions): object {
  return Object.fromEntries(Object.entries(options).filter(([key, value]) => !(key in OWN) && value !== undefined));
}

/** The same numbers, texts and arrays. Functions are never the same: those of a material depend on where the body is. */
function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'function' || typeof b === 'function') return false;
  if (Object.is(a, b)) return typeof a !== 'object' || !hasFunction(a);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || ArrayBuffer.isView(a)) {
    const [one, other] = [a as ArrayLike<unknown>, b as ArrayLike<unknown>];
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || one.length !== other.length) return false;
    for (let k = 0; k < one.length; k++) if (!sameValue(one[k], other[k])) return false;
    return true;
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue((a as never)[key], (b as never)[key]))
  );
}

function hasFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value) && typeof value[0] === 'number') return false;
  return Object.values(value).some(hasFunction);
}

/** Where and how one of several bodies is added, with all defaults, as the build has the options of the first. */
export function addOptions(options: BodyOptions): AddOptions {
  return {
    name: options.name ?? '',
    groups: options.groups ?? {},
    rotation: options.rotation ?? [0, 0, 0, 1],
    position: options.position ?? [0, 0, 0],
    velocity: options.velocity ?? [0, 0, 0],
    angularVelocity: options.angularVelocity ?? [0, 0, 0],
    stretch: options.stretch ?? [1, 1, 1],
    stretchCentre: options.stretchCentre ?? [0, 0, 0],
  };
}
