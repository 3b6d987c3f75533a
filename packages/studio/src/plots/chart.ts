import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { make } from '../ui/dom.js';
import type { Plot } from './series.js';

/** Height of a chart for its width, and bounds of it (CSS pixels). */
const SHAPE = 0.32;
const HEIGHTS = [92, 220] as const;
const heightOf = (width: number) => Math.round(Math.min(HEIGHTS[1], Math.max(HEIGHTS[0], SHAPE * width)));

/** One plot on the page, in the colours of the page. */
export class Chart {
  /** Hidden from screen readers; the numbers are beside it as text. */
  readonly element = make('div', { class: 'chart', 'aria-hidden': 'true' });
  private chart: uPlot | undefined;
  private table: (number | null)[][] = [];

  constructor(private readonly plot: Plot) {
    new ResizeObserver(() => {
      const { clientWidth: width } = this.element;
      if (width > 0 && width !== this.chart?.width) this.chart?.setSize({ width, height: heightOf(width) });
    }).observe(this.element);
  }

  draw(table: (number | null)[][]): void {
    this.table = table;
    const { clientWidth: width } = this.element;
    if (width === 0) return;
    this.chart ??= new uPlot(this.options(width), table as uPlot.AlignedData, this.element);
    this.chart.setData(table as uPlot.AlignedData);
  }

  /** Redraws in the new colours of the page. */
  restyle(): void {
    this.chart?.destroy();
    this.chart = undefined;
    if (this.table.length > 0) this.draw(this.table);
  }

  private options(width: number): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const [line, dim] = [style.getPropertyValue('--line'), style.getPropertyValue('--dim')];
    const { lines, stacked } = this.plot;
    const axis: uPlot.Axis = {
      stroke: dim,
      font: '11px system-ui, sans-serif',
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
    };
    const colours = lines.map((_, k) => style.getPropertyValue(`--plot-${k + 1}`).trim());
    return {
      width,
      height: heightOf(width),
      legend: { show: false },
      cursor: { show: false },
      padding: [6, 4, 0, 0],
      scales: { x: { time: false }, y: { range: (_, low, high) => reach(low, high) } },
      axes: [
        { ...axis, size: 20, gap: 2, space: 60, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
        { ...axis, size: 44, gap: 4, space: 26, values: (_, ticks) => ticks.map(compact) },
      ],
      series: [
        {},
        ...lines.map(({ name }, k) => ({
          label: name,
          stroke: colours[k],
          width: stacked ? 1 : 1.5,
          points: { show: false },
          // The lowest line is filled down to 0, the others down to the line below them.
          fill: stacked && k === 0 ? `${colours[k]}99` : undefined,
        })),
      ],
      bands: stacked ? lines.slice(1).map((_, k) => ({ series: [k + 2, k + 1], fill: `${colours[k + 1]}99` })) : [],
    };
  }
}

/** From 0, or below it, to a little more than the highest; never of height 0. */
function reach(low: number | null, high: number | null): [number, number] {
  const top = Math.max(0, high ?? 0);
  return [Math.min(0, low ?? 0), top > 0 ? 1.08 * top : 1];
}

const compact = (value: number): string =>
  Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(0)
    : String(Number(value.toPrecision(3)));
