import type { App } from '../app.js';
import type { Moment } from '../simulation.js';
import { icon, make } from './dom.js';

const PLAY = 'M7 4l13 8-13 8z';
const PAUSE = 'M6 4h4v16H6zM14 4h4v16h-4z';
const STEP = 'M5 4l9 8-9 8zM16 4h3v16h-3z';
const RESET = 'M4 4v6h6M4.6 10A8 8 0 1 1 4 14';

/** Pause, single step, reset, speed, and a slider for the kept history. */
export function mountTransport(root: HTMLElement, app: App): void {
  const play = make('button', { type: 'button', id: 'play', title: 'Play or pause (space)' }, icon(PAUSE));
  const step = make(
    'button',
    { type: 'button', id: 'step', 'aria-label': 'One step', title: 'One step (.)' },
    icon(STEP),
  );
  const reset = make(
    'button',
    { type: 'button', id: 'reset', 'aria-label': 'Back to the start', title: 'Back to the start (R)' },
    icon(RESET),
  );
  const scrub = make('input', {
    type: 'range',
    id: 'scrub',
    min: 0,
    max: 1,
    value: 0,
    step: 1,
    'aria-label': 'Moment',
  });
  const clock = make('output', { id: 'clock', for: 'scrub' });
  const pace = make('output', {
    id: 'pace',
    title: 'Seconds simulated for each second that passes, and milliseconds a step',
  });
  const speed = make(
    'select',
    { id: 'speed', 'aria-label': 'Speed' },
    ...[
      ['0.1', '⅒×'],
      ['0.25', '¼×'],
      ['0.5', '½×'],
      ['1', '1×'],
      ['2', '2×'],
      ['4', '4×'],
    ].map(([value, text]) => make('option', { value, selected: value === '1' }, text)),
  );
  root.append(play, step, reset, scrub, clock, speed, pace);

  const each = (act: (simulation: App['simulation']) => void) => app.simulations.forEach(act);
  play.onclick = () => app.run(!(app.simulation.latest?.running ?? app.running));
  step.onclick = () => {
    app.run(false);
    each((s) => s.send({ type: 'step', steps: 1 }));
  };
  reset.onclick = () => each((s) => s.send({ type: 'reset' }));
  speed.onchange = () => app.setSpeed(Number(speed.value));
  let dragging = false;
  scrub.oninput = () => {
    dragging = true;
    app.run(false);
    each((s) => s.send({ type: 'seek', frame: Number(scrub.value) }));
  };
  scrub.onchange = () => {
    dragging = false;
  };

  const show = ({ running, step: at, time, kept, stats }: Moment) => {
    if (play.dataset['running'] !== String(running)) {
      play.dataset['running'] = String(running);
      play.replaceChildren(icon(running ? PAUSE : PLAY));
      play.setAttribute('aria-label', running ? 'Pause' : 'Play');
    }
    scrub.min = String(kept.first);
    scrub.max = String(Math.max(kept.last, kept.first + 1));
    if (!dragging) scrub.value = String(at);
    clock.textContent = `${time.toFixed(2)} s`;
    const total = Object.values(stats.stages).reduce((sum, ms) => sum + ms, 0);
    pace.textContent = `${running ? stats.pace.toFixed(2) : '0.00'}× · ${total.toFixed(total < 10 ? 1 : 0)} ms`;
  };
  // Limits updates: numbers that change sixty times a second cannot be read.
  let last = 0;
  app.simulation.on('moment', (moment) => {
    const now = performance.now();
    if (now - last < 80 && moment.running) return;
    last = now;
    show(moment);
  });
}
