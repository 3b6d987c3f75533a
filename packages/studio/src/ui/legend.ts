import type { App } from '../app.js';
import type { Colouring } from '../protocol.js';
import { short } from '../settings/schema.js';
import { RAMP_CSS } from '../worker/palette.js';
import { make } from './dom.js';

/** The meaning of the colours, with the unit of the numbers, and the words where all values are 0. */
const MEANINGS: Partial<Record<Colouring, { text: string; unit: string; none: string }>> = {
  stress: { text: 'Stress: elastic stretch of the clusters', unit: '', none: 'no stress anywhere' },
  'plastic strain': {
    text: 'Plastic strain: how far the rest shape has flowed',
    unit: '',
    none: 'nothing has flowed yet',
  },
  toughness: { text: 'Toughness: stretch that it takes to break', unit: '', none: 'breaks at once' },
  speed: { text: 'Speed', unit: 'm/s', none: 'at rest' },
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
    // Without a scale there is one colour: the words say for what.
    const ranges = app.simulations.flatMap(({ latest }) => latest?.range ?? []);
    const isFlat = ranges.every(({ most }) => most === 0);
    ramp.hidden = isFlat;
    const endless = ranges.some((one) => one.endless);
    if (isFlat) {
      setText(low, endless ? 'never breaks' : meaning.none);
      setText(high, '');
    } else {
      setText(low, number(range.low));
      setText(high, `${number(range.high)}${endless ? ', or never' : ''}`);
    }
    setText(whose, app.second && !isFlat ? 'both halves' : '');
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
