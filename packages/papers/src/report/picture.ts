import type { Picture } from '../claim.js';
import { escaped } from './plot.js';

const SIZE = 300;
/** Particles drawn at most: more cannot be told apart at this size. */
const MOST = 2500;

/** Particles as an SVG of shaded discs, the farthest first, seen from `from` without perspective. */
export function pictureSvg({ title, points, shades, from = [0.35, 0.3, 1] }: Picture): string {
  const depth = normal(from);
  const right = normal([depth[2], 0, -depth[0]]);
  const up = cross(depth, right);
  const stride = Math.max(1, Math.ceil(points.length / 3 / MOST));
  const seen: { x: number; y: number; z: number; shade: number }[] = [];
  for (let i = 0; i < points.length / 3; i += stride) {
    const p: Triple = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    if (p.every(Number.isFinite))
      seen.push({ x: dot(p, right), y: dot(p, up), z: dot(p, depth), shade: shades?.[i] ?? -1 });
  }
  if (seen.length === 0) return '';
  const range = (key: 'x' | 'y' | 'z') => [Math.min(...seen.map((s) => s[key])), Math.max(...seen.map((s) => s[key]))];
  const [[x0, x1], [y0, y1], [z0, z1]] = [range('x'), range('y'), range('z')];
  const scale = (SIZE - 30) / Math.max(x1 - x0, y1 - y0, 1e-9);
  const radius = Math.max(
    1.2,
    Math.min(7, 0.62 * scale * Math.cbrt(((x1 - x0) * (y1 - y0) * (z1 - z0 || 1)) / seen.length)),
  );
  seen.sort((a, b) => a.z - b.z);
  const discs = seen.map(({ x, y, z, shade }) => {
    const light = 34 + (38 * (z - z0)) / (z1 - z0 || 1);
    const hue = shade < 0 ? 14 : 220 - 210 * shade;
    const [cx, cy] = [SIZE / 2 + (x - (x0 + x1) / 2) * scale, SIZE / 2 - (y - (y0 + y1) / 2) * scale];
    return `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${radius.toFixed(1)}" fill="hsl(${hue.toFixed(0)} 55% ${light.toFixed(0)}%)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE + 22}" font-family="sans-serif" font-size="12" fill="#333"><rect width="${SIZE}" height="${SIZE + 22}" fill="#f6f4ef"/>${discs.join('')}<text x="${SIZE / 2}" y="${SIZE + 14}" text-anchor="middle">${escaped(title)}</text></svg>`;
}

type Triple = readonly [number, number, number];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function normal(v: Triple): Triple {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
