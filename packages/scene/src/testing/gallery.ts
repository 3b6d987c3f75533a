import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { World } from 'pliant';
import { expect } from 'vitest';
import { type BuiltScene, buildWorld } from '../buildWorld.js';
import type { SceneDescription } from '../description.js';
import { loadScene } from '../loadScene.js';

const folder = new URL('../../../../scenes/', import.meta.url);

/** Our own scenes, by name. */
export const sceneNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'scene.schema.json')
    .map((name) => name.replace('.json', ''));

export const loadOwn = (name: string) =>
  loadScene(new URL(`${name}.json`, folder).pathname, async (path) => readFile(path));

export interface Run extends BuiltScene {
  scene: SceneDescription;
}

/** Runs a scene for `seconds` of its own time, telling `each` of every step. Mass must stay exact and everything finite. */
export async function runOwn(name: string, seconds: number, each?: (world: World) => void): Promise<Run> {
  const scene = await loadOwn(name);
  const built = await buildWorld(scene);
  const { world } = built;
  const { mass } = world.measure();
  for (let frame = 0; frame < Math.round(seconds / scene.dt); frame++) {
    world.step();
    each?.(world);
  }
  expect(world.measure().mass).toBe(mass);
  expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
  return { ...built, scene };
}
