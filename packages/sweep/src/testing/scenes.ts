import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Eight particles in one cluster that fall onto a plane: a run of some milliseconds. */
export const CUBE = {
  title: 'Cube',
  frames: 6,
  bodies: [
    {
      name: 'cube',
      geometry: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.5 },
      clustering: { count: 1 },
      material: { young: 1e5 },
      position: [0, 0.52, 0],
    },
  ],
  colliders: [{ type: 'plane', normal: [0, 1, 0] }],
};

/** A separate folder for a test file, removed afterwards. */
export function scratch(): { path(name: string): string; write(name: string, content: unknown): string } {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-sweep-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
      return path(name);
    },
  };
}
