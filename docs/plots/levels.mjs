// Makes the data and plots of docs/levels.md by our own runs: node docs/plots/levels.mjs (after npm run build; some minutes).
import { readFile, writeFile } from 'node:fs/promises';
import { loadScene } from '@pliant/scene';
import { World } from 'pliant';

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
  const path = new URL('../../scenes/falling-ball.json', import.meta.url).pathname;
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

/** Sag of a cantilever by number of particles (src/levels/cantilever.test.ts has the same beam). */
async function cantilever() {
  const curves = { 'one level': [], 'levels, gaussian to coarse': [], 'levels, uniform': [] };
  const levels = [undefined, { weights: { type: 'gaussian', to: 'coarse' } }, {}];
  for (const particles of [1000, 2000, 4000, 8000, 16000])
    for (const [k, name] of Object.keys(curves).entries())
      curves[name].push([particles, await sag(particles, levels[k])]);
  return curves;
}

async function sag(particles, levels) {
  const world = await World.create({ dt: 1 / 200, gravity: [0, -0.5, 0], sleepSpeed: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [2, 0.5, 0.5] },
    sampling: { count: particles },
    clustering: { count: Math.floor(particles / 15), radius: 2.4 * Math.cbrt(0.5 / particles) },
    levels,
    contact: { mode: 'none' },
    material: { stiffness: 0.9, damping: 0, rotation: 'covariance' },
  });
  world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.8 } });
  const tip = () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < body.particleCount; i++)
      if (body.restPositions[3 * i] > 0.85) {
        sum += body.restPositions[3 * i + 1] - body.positions[4 * i + 1];
        count++;
      }
    return sum / count;
  };
  let [energy, last, still] = [0, 0, 0];
  for (let n = 0; n < 3000 && still < 15; n++) {
    world.step();
    const now = world.measure().kineticEnergy;
    if (now < energy) {
      body.velocities.fill(0);
      still = Math.abs(tip() - last) < 2e-3 * tip() ? still + 1 : 0;
      last = tip();
    }
    energy = now < energy ? 0 : now;
  }
  return tip();
}

const COLOURS = ['#b3402a', '#d08c2b', '#6f8f3a', '#2f8f83', '#3465a4', '#6a4c93'];

/** Curves as an SVG: numbers along both axes, names at the right. */
function plot(curves, { title, x, y, logarithmic = false }) {
  const [width, height, left, top, right, bottom] = [760, 380, 70, 20, 190, 50];
  const scale = logarithmic ? Math.log10 : (value) => value;
  const all = Object.values(curves).flat();
  const [xs, ys] = [all.map((p) => scale(p[0])), all.map((p) => (logarithmic ? Math.log10(p[1]) : p[1]))];
  const low = [Math.min(...xs), logarithmic ? Math.floor(Math.min(...ys)) : 0];
  const high = [Math.max(...xs), logarithmic ? Math.ceil(Math.max(...ys)) : Math.max(...ys) * 1.05];
  const px = (value) => left + ((scale(value) - low[0]) / (high[0] - low[0])) * (width - left - right);
  const py = (value) =>
    height -
    bottom -
    (((logarithmic ? Math.log10(value) : value) - low[1]) / (high[1] - low[1])) * (height - top - bottom);
  const xTicks = logarithmic ? [...new Set(all.map((p) => p[0]))] : [0, 1, 2, 3, 4, 5].filter((t) => t <= high[0]);
  const yTicks = logarithmic
    ? Array.from({ length: high[1] - low[1] + 1 }, (_, k) => 10 ** (low[1] + k))
    : [0, 0.2, 0.4, 0.6, 0.8, 1].filter((t) => t <= high[1]);
  const text = (at, down, content, anchor = 'middle', extra = '') =>
    `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" text-anchor="${anchor}" ${extra}>${content}</text>`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#333">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ];
  for (const t of yTicks) {
    lines.push(`<path d="M${left} ${py(t).toFixed(1)}H${width - right}" stroke="#ddd"/>`);
    lines.push(text(left - 8, py(t) + 4, t === 0 || t >= 0.01 ? t : t.toExponential(0), 'end'));
  }
  for (const t of xTicks) lines.push(text(px(t), height - bottom + 20, t));
  lines.push(text((left + width - right) / 2, height - 10, x));
  lines.push(text(0, 0, y, 'middle', `transform="translate(16 ${(top + height - bottom) / 2}) rotate(-90)"`));
  const names = Object.keys(curves);
  names.forEach((name, k) => {
    const d = curves[name].map(([a, b], n) => `${n ? 'L' : 'M'}${px(a).toFixed(1)} ${py(b).toFixed(1)}`).join('');
    const colour = COLOURS[k % COLOURS.length];
    lines.push(`<path d="${d}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    if (logarithmic)
      for (const [a, b] of curves[name])
        lines.push(`<circle cx="${px(a).toFixed(1)}" cy="${py(b).toFixed(1)}" r="3" fill="${colour}"/>`);
    lines.push(text(width - right + 12, top + 20 + 22 * k, name, 'start', `fill="${colour}"`));
  });
  return `${lines.join('\n')}\n</svg>\n`;
}

const here = (name) => new URL(name, import.meta.url);
const [height, sags] = [await ball(), await cantilever()];
const rounded = (curves) =>
  Object.fromEntries(Object.entries(curves).map(([n, c]) => [n, c.map((p) => p.map((v) => Number(v.toPrecision(4))))]));
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
