import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { main } from '../main.js';

/** Runs the command line in this process and collects its output. */
export async function pliant(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const io = { out: (text: string) => void (out += text), err: (text: string) => void (err += text), tty: false };
  const code = await main(['node', 'pliant', ...args], io);
  return { code, out, err };
}

/** A separate folder for a test file, removed afterwards. */
export function scratch(): { path(name: string): string; scene(name: string, content: unknown): string } {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    scene(name, content) {
      writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
      return path(name);
    },
  };
}

/** A small box that falls on the ground, with changes. */
export const BOX = {
  title: 'Box',
  frames: 5,
  bodies: [
    {
      name: 'box',
      geometry: { type: 'box', size: [1, 1, 1] },
      sampling: { count: 150 },
      clustering: { count: 3 },
      position: [0, 1, 0],
    },
  ],
  colliders: [{ type: 'plane', normal: [0, 1, 0] }],
};
