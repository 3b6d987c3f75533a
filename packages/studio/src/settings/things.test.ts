import { describe, expect, it } from 'vitest';
import { sceneSchema } from '../../../scene/src/schema/scene.js';
import type { SceneJson } from '../sceneDocument.js';
import type { Box } from '../userFiles/ownScene.js';
import {
  addBody,
  addObstacle,
  duplicate,
  move,
  moveNamed,
  NEW_BODIES,
  NEW_OBSTACLES,
  positionOf,
  remove,
  thingsOf,
} from './things.js';

const box = { type: 'box', size: [1, 1, 1] };
const scene: SceneJson = {
  bodies: [
    { name: 'cube', geometry: box, sampling: { count: 50 }, position: [1, 2, 3], copies: [{ position: [4, 0, 0] }] },
    { geometry: box, sampling: { count: 50 } },
  ],
  colliders: [
    { type: 'plane', normal: [0, 2, 0], offset: -1 },
    { name: 'rail', type: 'capsule', from: [0, 0, 0], to: [2, 0, 0], radius: 0.1 },
    { type: 'sphere', centre: [0, 1, 0], radius: 1 },
    { type: 'box', size: [1, 1, 1], keyframes: [{ time: 0, position: [0, 1, 0] }, { time: 1 }] },
  ],
  clamps: [
    { region: { type: 'sphere', centre: [0, 0, 0], radius: 1 }, bodies: ['cube', 'body 2'] },
    { region: { type: 'sphere', centre: [0, 0, 0], radius: 1 }, bodies: ['cube 2'] },
  ],
  cuts: [{ at: 1, body: 'cube', plane: { point: [0, 0, 0], normal: [0, 1, 0] } }],
};
const room: Box = { min: [0, 0, 0], max: [3, 1, 3] };
/** Objections of the validator to a scene. */
const faults = (json: SceneJson) => sceneSchema.safeParse(json).error?.issues ?? [];

describe('bodies and obstacles', () => {
  it('come in, above the bodies and below them, as a scene file takes them', () => {
    let json = scene;
    for (const kind of Object.keys(NEW_BODIES)) json = addBody(json, kind, room);
    for (const kind of Object.keys(NEW_OBSTACLES)) json = addObstacle(json, kind, room);
    json = addBody(json, 'ball', room);
    expect(faults(json)).toEqual([]);
    expect(json.bodies.map(({ name }) => name)).toEqual(['cube', undefined, ...Object.keys(NEW_BODIES), 'ball 2']);
    expect((json.bodies[2]['position'] as number[])[1]).toBeGreaterThan(room.max[1] + 0.4);
    expect(positionOf(json, { kind: 'obstacle', at: 5 })[1]).toBeLessThan(0);
    // Above the middle in round numbers, in scenes of any size.
    for (const [size, digits] of [
      [1, 2],
      [0.46, 2],
      [0.01, 4],
      [300, 0],
    ]) {
      const by = 0.0016 * size;
      const tilted: Box = { min: [-size - by, 0, 2 * size], max: [size - by, size, 3 * size + by] };
      const [x, , z] = addBody(scene, 'box', tilted).bodies[2]['position'] as number[];
      expect([Object.is(x, 0), z]).toEqual([true, Number((2.5 * size).toFixed(digits))]);
    }
  });

  it('move, wherever their kind has its place', () => {
    for (const thing of thingsOf(scene)) {
      const before = positionOf(scene, thing);
      const next = move(scene, thing, [0.5, -1, 2]);
      expect(positionOf(next, thing)).toEqual([before[0] + 0.5, before[1] - 1, before[2] + 2]);
      expect(faults(next)).toEqual([]);
    }
    expect(positionOf(scene, { kind: 'obstacle', at: 0 })).toEqual([0, -1, 0]);
    const led = move(scene, { kind: 'obstacle', at: 3 }, [1, 0, 0]).colliders as { keyframes: unknown }[];
    expect(led[3].keyframes).toEqual([{ time: 0, position: [1, 1, 0] }, { time: 1 }]);
  });

  it('move by their names: copies alone, pieces with what they came from', () => {
    const places = (json: SceneJson) => {
      const [{ position, copies }] = json.bodies as { position: number[]; copies: { position: number[] }[] }[];
      return [position, copies[0].position];
    };
    expect(places(moveNamed(scene, 'cube', [1, 0, 0]))).toEqual([
      [2, 2, 3],
      [4, 0, 0],
    ]);
    for (const name of ['cube 2', 'cube 2 1'])
      expect(places(moveNamed(scene, name, [1, 0, 0]))).toEqual([
        [1, 2, 3],
        [5, 0, 0],
      ]);
    expect(moveNamed(scene, 'body 2', [1, 0, 0]).bodies[1]['position']).toEqual([1, 0, 0]);
    expect(moveNamed(scene, 'nobody', [1, 0, 0])).toBe(scene);
  });

  it('are there twice, under another name and beside the first', () => {
    const next = duplicate(scene, { kind: 'body', at: 0 }, [2, 0, 0]);
    // "cube 2" is the name of the copy.
    expect(next.bodies[2]).toEqual({ ...scene.bodies[0], copies: undefined, name: 'cube 3', position: [3, 2, 3] });
    expect(faults(duplicate(scene, { kind: 'obstacle', at: 1 }, [0, 1, 0]))).toEqual([]);
  });

  it('go, and nothing names them any more', () => {
    const next = remove(scene, { kind: 'body', at: 0 });
    expect(next.bodies).toEqual([scene.bodies[1]]);
    expect(next['clamps']).toEqual([{ ...(scene['clamps'] as object[])[0], bodies: ['body 2'] }]);
    expect(next['cuts']).toEqual([]);
    expect(faults(next)).toEqual([]);
    expect(() => remove(next, { kind: 'body', at: 0 })).toThrow('at least one body');
    let empty = scene;
    for (let n = 0; n < 4; n++) empty = remove(empty, { kind: 'obstacle', at: 0 });
    expect('colliders' in empty).toBe(false);
  });
});
