import type { App } from '../app.js';
import { Chart } from '../plots/chart.js';
import { PLOTS, Series } from '../plots/series.js';
import { short } from '../settings/schema.js';
import type { Moment, Simulation } from '../simulation.js';
import { make } from './dom.js';
import { onTheme } from './theme.js';

/** Milliseconds between two drawings: eight a second. */
const EVERY = 125;

/**
 * Plots of energy, momentum, volume, pieces, clusters and time per stage over simulated time; in a comparison those of
 * the edited half.
 */
export function mountPlots(root: HTMLElement, app: App): void {
  const lines = PLOTS.flatMap((plot) => plot.lines);
  const series = new Map<Simulation, Series>();
  const follow = (simulation: Simulation) => {
    const its = new Series(lines.map(({ of }) => of));
    series.set(simulation, its);
    if (simulation.latest) its.add(simulation.latest);
    simulation.on('loaded', () => its.clear());
    simulation.on('moment', (moment: Moment) => its.add(moment));
  };
  follow(app.simulation);
  if (app.second) follow(app.second);
  app.on('beside', () => {
    for (const simulation of series.keys()) if (simulation !== app.simulation) series.delete(simulation);
    if (app.second) follow(app.second);
  });

  let at = 0;
  const charts = PLOTS.map((plot) => {
    const numbers = plot.lines.map((_, k) => at + k);
    at += plot.lines.length;
    const chart = new Chart(plot);
    const values = plot.lines.map(() => make('output', {}));
    const keys = plot.lines.map(({ name }, k) => {
      const swatch = make('i', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = `var(--plot-${k + 1})`;
      return make('li', {}, swatch, ...(plot.lines.length > 1 ? [`${name} `] : []), values[k]);
    });
    root.append(
      make(
        'figure',
        { id: `plot-${plot.id}`, class: 'plot' },
        make('figcaption', {}, plot.title, ' ', make('span', { class: 'unit' }, plot.unit), make('ul', {}, ...keys)),
        chart.element,
        ...(plot.note ? [make('p', { class: 'note' }, plot.note)] : []),
      ),
    );
    return { plot, numbers, chart, values };
  });

  const draw = () => {
    // In Chromium a folded element still has a layout box, so that offsetParent does not tell.
    const isOpen = root.checkVisibility();
    if (isOpen !== app.show.energies) app.setShow({ energies: isOpen });
    if (!isOpen) return;
    const its = series.get(app.edited?.simulation ?? app.simulation);
    if (!its) return;
    for (const { plot, numbers, chart, values } of charts) {
      chart.draw(its.table(numbers, plot.stacked));
      numbers.forEach((line, k) => {
        const value = its.latest(line);
        values[k].textContent = value === undefined || Number.isNaN(value) ? '–' : text(value);
      });
    }
  };
  setInterval(draw, EVERY);
  onTheme(() => {
    for (const { chart } of charts) chart.restyle();
    draw();
  });
  draw();
}

/** Three digits, whole numbers as they are. */
const text = (value: number) => (Number.isInteger(value) ? String(value) : short(Number(value.toPrecision(3))));
