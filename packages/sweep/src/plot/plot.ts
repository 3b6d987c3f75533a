/** A point of a curve; `spread` is drawn as a bar of that length up and down. */
export interface Point {
  x: number;
  y: number;
  spread?: number;
}

/** Named curves and how to draw them. */
export interface PlotOptions {
  title: string;
  /** Names of the axes, with units. */
  x: string;
  y: string;
  curves: { name: string; points: Point[] }[];
  /** Logarithmic axes. */
  logX?: boolean;
  logY?: boolean;
  /** A dot on every point. */
  marks?: boolean;
}

const COLOURS = ['#b3402a', '#d08c2b', '#6f8f3a', '#2f8f83', '#3465a4', '#6a4c93', '#a8577e', '#5c6670'];
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 380, 80, 34, 190, 52];

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A number for people: 2e7, 0.05. */
export const showNumber = (value: number): string => {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e5 || size < 1e-3)
    ? value.toExponential().replace('e+', 'e')
    : String(Number(value.toPrecision(6)));
};

/** One axis: from values to pixels, and its ticks. */
interface Axis {
  place(value: number): number;
  ticks: number[];
}

function linearAxis(values: readonly number[], from: number, to: number): Axis {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  const pad = high > low ? 0.05 * (high - low) : Math.abs(high) || 1;
  [low, high] = [low - pad, high + pad];
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(Number((n * step).toPrecision(10)));
  return { place: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

function logAxis(values: readonly number[], from: number, to: number): Axis {
  const logs = values.map(Math.log10);
  let [low, high] = [Math.min(...logs), Math.max(...logs)];
  const pad = high > low ? 0.04 * (high - low) : 0.5;
  [low, high] = [low - pad, high + pad];
  const factors = high - low > 2.5 ? [1] : high - low > 0.9 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const ticks: number[] = [];
  for (let n = Math.floor(low); n <= high; n++)
    for (const factor of factors) {
      const tick = Number((factor * 10 ** n).toPrecision(6));
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick);
    }
  return { place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from), ticks };
}

const text = (x: number, y: number, content: string, anchor = 'middle', extra = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${extra}>${escapeXml(content)}</text>`;

/** Curves as an SVG. Points that a logarithmic axis cannot show are left out. */
export function plot({ title, x, y, curves: given, logX = false, logY = false, marks = true }: PlotOptions): string {
  const fits = (p: Point) => Number.isFinite(p.x) && Number.isFinite(p.y) && (!logX || p.x > 0) && (!logY || p.y > 0);
  const curves = given.map(({ name, points }) => ({ name, points: points.filter(fits) }));
  const all = curves.flatMap(({ points }) => points);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="#333">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 20, title, 'start', ' font-weight="600"'),
  ];
  if (all.length === 0) return `${[...lines, text(WIDTH / 2, HEIGHT / 2, 'no values')].join('\n')}\n</svg>\n`;
  const bars = all.flatMap((p) => (p.spread && !logY ? [p.y - p.spread, p.y + p.spread] : [p.y]));
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const [px, py] = [
    (logX ? logAxis : linearAxis)(
      all.map((p) => p.x),
      LEFT,
      right,
    ),
    (logY ? logAxis : linearAxis)(bars, bottom, TOP),
  ];
  for (const tick of py.ticks) {
    const at = py.place(tick).toFixed(1);
    lines.push(`<path d="M${LEFT} ${at}H${right}" stroke="${tick === 0 ? '#999' : '#ddd'}"/>`);
    lines.push(text(LEFT - 8, py.place(tick) + 4, showNumber(tick), 'end'));
  }
  for (const tick of px.ticks) {
    lines.push(`<path d="M${px.place(tick).toFixed(1)} ${bottom}v5" stroke="#999"/>`);
    lines.push(text(px.place(tick), bottom + 20, showNumber(tick)));
  }
  lines.push(text((LEFT + right) / 2, HEIGHT - 10, x));
  lines.push(text(0, 0, y, 'middle', ` transform="translate(16 ${(TOP + bottom) / 2}) rotate(-90)"`));
  curves.forEach(({ name, points }, k) => {
    const colour = COLOURS[k % COLOURS.length];
    const at = ({ x, y }: Point) => `${px.place(x).toFixed(1)} ${py.place(y).toFixed(1)}`;
    if (points.length > 1)
      lines.push(`<path d="M${points.map(at).join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    for (const p of points) {
      if (p.spread && !logY) {
        const [high, low] = [py.place(p.y + p.spread), py.place(p.y - p.spread)];
        lines.push(
          `<path d="M${px.place(p.x).toFixed(1)} ${high.toFixed(1)}V${low.toFixed(1)}" stroke="${colour}" opacity="0.6"/>`,
        );
      }
      if (marks)
        lines.push(
          `<circle cx="${px.place(p.x).toFixed(1)}" cy="${py.place(p.y).toFixed(1)}" r="3" fill="${colour}"/>`,
        );
    }
    if (name) lines.push(text(right + 12, TOP + 14 + 20 * k, name, 'start', ` fill="${colour}"`));
  });
  return `${lines.join('\n')}\n</svg>\n`;
}
