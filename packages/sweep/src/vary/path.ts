import { parsePath as parse, setAt as set } from '@pliant/scene';

/** Checks a path of `--vary`: `bodies[0].material.young`, `bodies[beam].position`, `bodies[*].material.young`. */
export const checkPath = (text: string): void => void parse(text, text === '' ? '--vary' : `--vary ${text}`);

/** Sets the value at a path of `--vary` in a scene. Returns how many places were set. */
export const setAt = (scene: unknown, path: string, value: unknown): number =>
  set(scene, path, value, path === '' ? '--vary' : `--vary ${path}`);
