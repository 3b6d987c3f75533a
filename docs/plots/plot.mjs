// Curves as an SVG, for the pages of docs/.

const COLOURS = ['#b3402a', '#d08c2b', '#6f8f3a', '#2f8f83', '#3465a4', '#6a4c93'];
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 380, 70, 20, 190, 50];

/** Round numbers within a range, five to eight of them. */
function ticksOf(low, high) {
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++)
    ticks.push(Number((n * step).toPrecision(6)));
  return ticks;
}

const text = (x, y, content, anchor = 'middle', extra = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" ${extra}>${content}</text>`;

const show = (value) => (value === 0 || Math.abs(value) >= 0.01 ? value : value.toExponential(0));

/**
 * `curves` is { name: [[x, y], …] }. Axes are linear from 0, or from `bottom`, or both logarithmic; `marks` puts a dot on every point. Names are at the
 * right, in the order in which they are given.
 */
export function plot(curves, { title, x, y, logarithmic = false, marks = logarithmic, bottom, top }) {
  const scale = logarithmic ? Math.log10 : (value) => value;
  const all = Object.values(curves).flat();
  const [xs, ys] = [all.map((p) => scale(p[0])), all.map((p) => scale(p[1]))];
  const low = [Math.min(...xs), logarithmic ? Math.floor(Math.min(...ys)) : (bottom ?? Math.min(0, ...ys))];
  const high = [Math.max(...xs), logarithmic ? Math.ceil(Math.max(...ys)) : (top ?? Math.max(...ys) * 1.05)];
  const px = (value) => LEFT + ((scale(value) - low[0]) / (high[0] - low[0])) * (WIDTH - LEFT - RIGHT);
  const py = (value) => HEIGHT - BOTTOM - ((scale(value) - low[1]) / (high[1] - low[1])) * (HEIGHT - TOP - BOTTOM);
  const xTicks = logarithmic ? [...new Set(all.map((p) => p[0]))] : ticksOf(low[0], high[0]);
  const yTicks = logarithmic
    ? Array.from({ length: high[1] - low[1] + 1 }, (_, k) => 10 ** (low[1] + k))
    : ticksOf(low[1], high[1]);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#333">`,
    `<title>${title}</title>`,
    `<clipPath id="inside"><rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}"/></clipPath>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
  ];
  for (const t of yTicks) {
    lines.push(`<path d="M${LEFT} ${py(t).toFixed(1)}H${WIDTH - RIGHT}" stroke="${t === 0 ? '#999' : '#ddd'}"/>`);
    lines.push(text(LEFT - 8, py(t) + 4, show(t), 'end'));
  }
  for (const t of xTicks) lines.push(text(px(t), HEIGHT - BOTTOM + 20, t));
  lines.push(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x));
  lines.push(text(0, 0, y, 'middle', `transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"`));
  Object.entries(curves).forEach(([name, curve], k) => {
    const d = curve.map(([a, b], n) => `${n ? 'L' : 'M'}${px(a).toFixed(1)} ${py(b).toFixed(1)}`).join('');
    const colour = COLOURS[k % COLOURS.length];
    lines.push(`<path d="${d}" fill="none" stroke="${colour}" stroke-width="2" clip-path="url(#inside)"/>`);
    if (marks)
      for (const [a, b] of curve)
        lines.push(`<circle cx="${px(a).toFixed(1)}" cy="${py(b).toFixed(1)}" r="3" fill="${colour}"/>`);
    lines.push(text(WIDTH - RIGHT + 12, TOP + 20 + 22 * k, name, 'start', `fill="${colour}"`));
  });
  return `${lines.join('\n')}\n</svg>\n`;
}

/** Four digits are enough for data that is kept beside a plot. */
export const rounded = (curves) =>
  Object.fromEntries(Object.entries(curves).map(([n, c]) => [n, c.map((p) => p.map((v) => Number(v.toPrecision(4))))]));
