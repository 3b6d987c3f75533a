import type { App } from '../app.js';
import type { Simulation } from '../simulation.js';
import { make } from './dom.js';

/** Milliseconds of building after which the page shows it: most scenes are faster. */
const PATIENCE = 300;

/** The progress of a build, with a button that cancels it. */
export function mountBusy(root: HTMLElement, app: App): void {
  const what = make('span', { role: 'status', 'aria-live': 'polite' });
  const bar = make('progress', { max: 1, 'aria-label': 'Progress of the build' });
  const cancel = make('button', { type: 'button', id: 'cancel-build', title: 'What is open stays (Esc)' }, 'Cancel');
  cancel.onclick = () => app.cancelBuild();
  root.append(what, bar, cancel);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: { what: string; share: number | undefined } | undefined;
  const show = () => {
    root.hidden = !latest;
    if (!latest) return;
    if (what.textContent !== latest.what) what.textContent = latest.what;
    if (latest.share === undefined) bar.removeAttribute('value');
    else bar.value = latest.share;
  };
  const done = () => {
    if (app.simulations.some((simulation) => simulation.isBuilding)) return;
    clearTimeout(timer);
    timer = latest = undefined;
    show();
  };
  const follow = (simulation: Simulation) => {
    simulation.on('progress', ({ what, share }) => {
      latest = { what, share };
      if (timer === undefined) timer = setTimeout(show, PATIENCE);
      else if (!root.hidden) show();
    });
    for (const end of ['loaded', 'problem', 'cancelled'] as const) simulation.on(end, () => queueMicrotask(done));
  };
  follow(app.simulation);
  app.on('beside', () => {
    if (app.second) follow(app.second);
    done();
  });
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !root.hidden && !document.querySelector('dialog[open]')) app.cancelBuild();
  });
}
