// Makes the data and plots of docs/levels.md by our own runs: node docs/plots/levels.mjs (after npm run build; some minutes).
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadScene } from '@pliant/scene';
import { World } from 'pliant';
import { sag } from '../../bench/cantilever.mjs';
import { plot, rounded } from './plot.mjs';

const SCHEMES = {
  'finest alone': [1, 0, 0],
  'gaussian, fine': { type: 'gaussian', to: 'fine' },
  uniform: 'uniform',
  'linear, coarse': { type: 'linear', to: 'coarse', epsilon: 0.1 },
  'gaussian, coarse': { type: 'gaussian', to: 'coarse' },
  'one cluster': [0, 0, 1],
};

/** The falling ball of scenes/falling-ball.json: height over time for each weighting. */
async function ball() {
  const path = fileURLToPath(new URL('../../scenes/falling-ball.json', import.meta.url));
  const scene = await loadScene(path, (file) => readFile(file));
  const world = await World.create({ gravity: scene.gravity, dt: scene.dt, sleepSpeed: 0 });
  for (const { options } of scene.actors) world.addCollider(options);
  const body = world.addBody(scene.bodies[0].options);
  const [x, v] = [body.positions.slice(), body.velocities.slice()];
  const curves = {};
  for (const [name, weights] of Object.entries(SCHEMES)) {
    body.positions.set(x);
    body.previousPositions.set(x);
    body.velocities.set(v);
    body.setLevels({ weights });
    curves[name] = [];
    for (let n = 0; n < 300; n++) {
      world.step();
      const { bboxMin, bboxMax } = world.measure();
      if (n % 2 === 0) curves[name].push([(n + 1) * world.dt, bboxMax[1] - bboxMin[1]]);
    }
  }
  return curves;
}

/** Sag of a cantilever by number of particles (src/levels/cantilever.long.test.ts has the same beam). */
async function cantilever() {
  const curves = { 'one level': [], 'levels, gaussian to coarse': [], 'levels, uniform': [] };
  const levels = [undefined, { weights: { type: 'gaussian', to: 'coarse' } }, {}];
  for (const particles of [1000, 2000, 4000, 8000, 16000])
    for (const [k, name] of Object.keys(curves).entries())
      curves[name].push([particles, await sag(World, particles, levels[k], { steps: 3000, still: 15 })]);
  return curves;
}

const here = (name) => new URL(name, import.meta.url);
const [height, sags] = [await ball(), await cantilever()];
await writeFile(
  here('levels.json'),
  `${JSON.stringify({ command: 'node docs/plots/levels.mjs', ball: rounded(height), cantilever: rounded(sags) })}\n`,
);
await writeFile(
  here('falling-ball.svg'),
  plot(height, { title: 'Height of a falling ball over time', x: 'time (s)', y: 'height of the ball (m)' }),
);
await writeFile(
  here('cantilever.svg'),
  plot(sags, {
    title: 'Sag of a cantilever by number of particles',
    x: 'particles',
    y: 'sag of the tip (m)',
    logarithmic: true,
  }),
);
for (const [name, curve] of Object.entries(sags))
  console.log(name, curve.map(([n, s]) => `${n}: ${s.toFixed(4)}`).join(', '));
