import type { App } from '../app.js';
import type { Colouring } from '../protocol.js';
import { short } from '../settings/schema.js';
import type { Simulation } from '../simulation.js';
import { RAMP_CSS } from '../worker/palette.js';
import { make } from './dom.js';

/** What the colours stand for, with the unit of the numbers at the ends. */
const MEANINGS: Partial<Record<Colouring, { text: string; unit: string }>> = {
  stress: { text: 'Stress: elastic stretch of the clusters', unit: '' },
  'plastic strain': { text: 'Plastic strain: how far the rest shape has flowed', unit: '' },
  toughness: { text: 'Toughness τ: stretch that it takes to break', unit: '' },
  speed: { text: 'Speed', unit: 'm/s' },
};

/** The ramp of colours, and the numbers at its ends; one for each half of a comparison. */
export function mountLegend(root: HTMLElement, app: App): void {
  const title = make('strong', {});
  const ramp = make('div', { class: 'ramp', 'aria-hidden': 'true' });
  ramp.style.background = RAMP_CSS;
  const rows = ['', 'left', 'right'].map((name) => {
    const [low, high] = [make('output', {}), make('output', {})];
    const row = make('div', { class: 'ends', hidden: true }, low, make('span', {}, name), high);
    return { row, low, high };
  });
  root.append(title, ramp, ...rows.map(({ row }) => row));

  const update = () => {
    const meaning = MEANINGS[app.show.colouring];
    root.hidden = !meaning;
    if (!meaning) return;
    title.textContent = meaning.text;
    const shown = app.second ? [undefined, app.simulation, app.second] : [app.simulation];
    rows.forEach(({ row, low, high }, k) => {
      const range = shown[k] && rangeOf(shown[k]);
      row.hidden = !range;
      if (!range) return;
      const number = (value: number) => `${short(Number(value.toPrecision(3)))} ${meaning.unit}`.trim();
      setText(low, number(range.low));
      setText(high, number(range.high));
    });
  };
  // Often enough to read, and no more.
  setInterval(() => {
    if (!root.hidden) update();
  }, 200);
  app.on('show', update);
  app.on('beside', update);
  update();
}

const rangeOf = ({ latest }: Simulation) => latest?.range;

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
