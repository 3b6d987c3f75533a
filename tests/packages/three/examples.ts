// The live examples of the documentation and the stage that shows them, one at a time: the test copies both beside this file.
import type { World } from 'pliant';
// @ts-expect-error: a plain script of the documentation.
import { Stage } from './stage.mjs';

const examples = import.meta.glob('./examples/*.js') as Record<
  string,
  () => Promise<{ default(stage: object): Promise<void> }>
>;

/** Runs an example until its world is a second old. Tells how far the particle went that went farthest, and how many frames were drawn. */
async function run(name: string): Promise<{ moved: number; frames: number }> {
  const canvas = document.createElement('canvas');
  document.body.replaceChildren(canvas);
  let world!: World;
  class Watched extends Stage {
    show(shown: World, options: object) {
      world = shown;
      super.show(shown, options);
    }
  }
  const stage = new Watched(canvas);
  const { default: start } = await examples[`./examples/${name}.js`]();
  await start(stage);
  const body = world.bodies[0];
  const before = body.positions.slice();
  let moved = 0;
  while (world.time < 1) {
    await new Promise((resume) => requestAnimationFrame(resume));
    if (body.alive && body.positions.length === before.length)
      for (let k = 0; k < before.length; k++) moved = Math.max(moved, Math.abs(body.positions[k] - before[k]));
  }
  const frames = Number(canvas.dataset['frames']);
  stage.stop();
  return { moved, frames };
}

Object.assign(globalThis, { examples: { names: Object.keys(examples).map((path) => path.slice(11, -3)), run } });
