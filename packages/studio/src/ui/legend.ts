import type { App } from '../app.js';
import type { Colouring } from '../protocol.js';
import { short } from '../settings/schema.js';
import { RAMP_CSS } from '../worker/palette.js';
import { make } from './dom.js';

/** The meaning of the colours, with the unit of the numbers. */
const MEANINGS: Partial<Record<Colouring, { text: string; unit: string }>> = {
  stress: { text: 'Stress: elastic stretch of the clusters', unit: '' },
  'plastic strain': { text: 'Plastic strain: how far the rest shape has flowed', unit: '' },
  toughness: { text: 'Toughness τ: stretch that it takes to break', unit: '' },
  speed: { text: 'Speed', unit: 'm/s' },
};

/** The colour ramp and the numbers at its ends: the same for both halves of a comparison. */
export function mountLegend(root: HTMLElement, app: App): void {
  const title = make('strong', {});
  const ramp = make('div', { class: 'ramp', 'aria-hidden': 'true' });
  ramp.style.background = RAMP_CSS;
  const [low, high] = [make('output', { id: 'legend-low' }), make('output', { id: 'legend-high' })];
  const whose = make('span', {});
  const ends = make('div', { class: 'ends', hidden: true }, low, whose, high);
  root.append(title, ramp, ends);

  const update = () => {
    const meaning = MEANINGS[app.show.colouring];
    root.hidden = !meaning;
    if (!meaning) return;
    title.textContent = meaning.text;
    const range = app.simulation.latest?.range;
    ends.hidden = !range;
    if (!range) return;
    const number = (value: number) => `${short(Number(value.toPrecision(3)))} ${meaning.unit}`.trim();
    setText(low, number(range.low));
    setText(whose, app.second ? 'both halves' : '');
    setText(high, number(range.high));
  };
  // The interval limits updates to a readable rate.
  setInterval(() => {
    if (!root.hidden) update();
  }, 200);
  app.on('show', update);
  app.on('beside', update);
  update();
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
