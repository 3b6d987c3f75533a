import { elementary, PliantError, refuse, type Vec3 } from 'pliant';

/** Largest number of entries of a list (files, planes, cylinders): each is compared with all others. */
const MOST_ENTRIES = 10_000;

/**
 * Reads the fields of one object of a research scene, as the original does: missing fields have defaults. Impossible
 * values are refused by name. Fields that were never read are listed by `unread`.
 */
export class Reader {
  private readonly seen = new Set<string>();

  constructor(
    private readonly data: Readonly<Record<string, unknown>>,
    /** Beginning of every message: "brokenHeart.json: movingPlanes[0]." */
    private readonly head: string,
  ) {}

  has(key: string): boolean {
    this.seen.add(key);
    return this.data[key] !== undefined;
  }

  raw(key: string): unknown {
    this.seen.add(key);
    return this.data[key];
  }

  number(key: string, fallback: number): number {
    const value = this.raw(key);
    if (value === undefined) return fallback;
    if (typeof value !== 'number' || !Number.isFinite(value)) refuse(this.head + key, value, 'a finite number');
    return value;
  }

  integer(key: string, fallback: number): number {
    const value = this.number(key, fallback);
    if (!Number.isInteger(value)) refuse(this.head + key, value, 'an integer');
    return value;
  }

  text(key: string): string {
    const value = this.raw(key);
    if (typeof value !== 'string' || value === '') refuse(this.head + key, value, 'the name of a file');
    return value;
  }

  vec3(key: string, fallback?: Vec3): Vec3 {
    const value = this.raw(key);
    if (value === undefined && fallback) return fallback;
    if (!isVec3(value)) refuse(this.head + key, value, 'three finite numbers');
    return value;
  }

  /** A direction: three numbers, not all 0, scaled to length 1. */
  direction(key: string): Vec3 {
    const [x, y, z] = this.vec3(key);
    const length = elementary.hypot(x, y, z);
    if (length === 0) refuse(this.head + key, [x, y, z], 'a direction of non-zero length');
    return [x / length, y / length, z / length];
  }

  list(key: string): unknown[] {
    const value = this.raw(key) ?? [];
    if (!Array.isArray(value)) refuse(this.head + key, value, 'a list');
    if (value.length > MOST_ENTRIES) this.refuse(key, `has ${value.length} entries; expected at most ${MOST_ENTRIES}`);
    return value;
  }

  /** A list of objects, each with its own reader and its name in messages. */
  objects(key: string): { reader: Reader; path: string }[] {
    return this.list(key).map((entry, k) => {
      const path = `${key}[${k}]`;
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
        refuse(this.head + path, entry, 'an object');
      return { reader: new Reader(entry as Record<string, unknown>, `${this.head}${path}.`), path };
    });
  }

  /** Keys that were never read. */
  unread(): string[] {
    return Object.keys(this.data).filter((key) => !this.seen.has(key));
  }

  refuse(key: string, problem: string): never {
    throw new PliantError(this.head + key, `${this.head}${key} ${problem}.`);
  }
}

export const isVec3 = (value: unknown): value is [number, number, number] =>
  Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === 'number' && Number.isFinite(v));
