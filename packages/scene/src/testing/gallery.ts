import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { World, WorldEvent } from 'pliant';
import { expect } from 'vitest';
import { type BuiltScene, buildWorld } from '../buildWorld.js';
import type { SceneDescription } from '../description.js';
import { loadScene } from '../loadScene.js';

const folder = new URL('../../../../scenes/', import.meta.url);

/** Our own scenes, by name. */
export const sceneNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'scene.schema.json')
    .map((name) => name.replace('.json', ''))
    .sort();

export const loadOwn = (name: string, variant?: string) =>
  loadScene(fileURLToPath(new URL(`${name}.json`, folder)), async (path) => readFile(path), { variant });

export interface Run extends BuiltScene {
  scene: SceneDescription;
}

/** Called after every step with its events. */
export type Watch = (world: World, events: readonly WorldEvent[]) => void;

/** Runs a scene for `seconds` of its own time. */
export const runOwn = async (name: string, seconds: number, each?: Watch): Promise<Run> =>
  runScene(await loadOwn(name), seconds, each);

/** The same for a loaded scene. Mass must be conserved, everything finite, and the state of broken bodies sound. */
export async function runScene(scene: SceneDescription, seconds: number, each?: Watch): Promise<Run> {
  // Other tests use the other cores.
  const built = await buildWorld(scene, { threads: 1 });
  const { world, bodies } = built;
  const { mass } = world.measure();
  let quarantined = 0;
  for (let frame = 0; frame < Math.round(seconds / scene.dt); frame++) {
    built.cuts.due();
    world.step();
    const events = world.drainEvents();
    quarantined += events.filter((event) => event.type === 'quarantine').length;
    each?.(world, events);
  }
  expect(quarantined).toBe(0);
  // Particles that split share their mass, rounded to f32.
  if (bodies.every((body) => body.topologyVersion === 0)) expect(world.measure().mass).toBe(mass);
  else expect(Math.abs(world.measure().mass / mass - 1)).toBeLessThan(1e-6);
  expect(world.validate()).toEqual([]);
  return { ...built, scene };
}
