import { digits, type Plot } from '../claim.js';

const COLOURS = ['#b3402a', '#3465a4', '#6f8f3a', '#d08c2b', '#6a4c93', '#2f8f83', '#555555'];
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [640, 320, 64, 30, 170, 46];

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Round numbers within a range, five to eight of them. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low) / 6 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough)!;
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++)
    ticks.push(Number((n * step).toPrecision(6)));
  return ticks;
}

/** Curves as an SVG: y from 0 or below, x linear or logarithmic, names at the right. */
export function plotSvg({ title, x, y, curves, logarithmic = false }: Plot): string {
  const scale = logarithmic ? Math.log10 : (value: number) => value;
  const all = Object.values(curves).flat();
  const xs = all.map(([value]) => scale(value));
  const ys = all.map(([, value]) => value);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(0, ...ys), Math.max(...ys) * 1.05 || 1];
  const px = (value: number) => LEFT + ((scale(value) - left) / (right - left || 1)) * (WIDTH - LEFT - RIGHT);
  const py = (value: number) => HEIGHT - BOTTOM - ((value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const text = (tx: number, ty: number, content: string, anchor: string, more = '') =>
    `<text x="${tx.toFixed(1)}" y="${ty.toFixed(1)}" text-anchor="${anchor}" ${more}>${escaped(content)}</text>`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 18, title, 'start', 'font-weight="bold"'),
  ];
  for (const t of ticksOf(bottom, top))
    parts.push(
      `<path d="M${LEFT} ${py(t).toFixed(1)}H${WIDTH - RIGHT}" stroke="${t === 0 ? '#999' : '#ddd'}"/>`,
      text(LEFT - 6, py(t) + 4, digits(t), 'end'),
    );
  const xTicks = logarithmic ? [...new Set(all.map(([value]) => value))] : ticksOf(left, right);
  for (const t of xTicks) parts.push(text(px(t), HEIGHT - BOTTOM + 18, digits(t), 'middle'));
  parts.push(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, 'middle'));
  parts.push(`<g transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">${text(0, 0, y, 'middle')}</g>`);
  Object.entries(curves).forEach(([name, curve], k) => {
    const colour = COLOURS[k % COLOURS.length];
    const d = curve.map(([a, b], n) => `${n > 0 ? 'L' : 'M'}${px(a).toFixed(1)} ${py(b).toFixed(1)}`).join('');
    parts.push(`<path d="${d}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    if (curve.length <= 20)
      for (const [a, b] of curve)
        parts.push(`<circle cx="${px(a).toFixed(1)}" cy="${py(b).toFixed(1)}" r="3" fill="${colour}"/>`);
    parts.push(text(WIDTH - RIGHT + 10, TOP + 14 + 20 * k, name, 'start', `fill="${colour}"`));
  });
  return `${parts.join('\n')}\n</svg>`;
}
