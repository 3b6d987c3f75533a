import type { App } from '../app.js';
import { icon, make } from './dom.js';

const HAND =
  'M8 12V5a1.5 1.5 0 0 1 3 0v5V4a1.5 1.5 0 0 1 3 0v6-4.5a1.5 1.5 0 0 1 3 0V14c0 4-2.5 7-6 7-3 0-4.5-1.500-6.500-5L3 13.500A1.5 1.5 0 0 1 5.5 12L8 14';

/** The scene whose hint floats over its body until somebody takes hold of it. The hints of others are below the title. */
export const GREETING = 'hello';

/** A few words over the body of the first scene: "Drag me". They go with the first grip, and do not come back. */
export function mountHint(root: HTMLElement, app: App): void {
  const words = make('span', {});
  root.append(icon(HAND), words);
  let isOver = false;
  const isShown = () => !isOver && app.document?.name === GREETING && app.tool === 'pick' && !app.second;
  app.on('document', ({ json }) => {
    words.textContent = String(json['try'] ?? '');
  });
  app.simulation.on('moment', ({ picks }) => {
    if (picks.length > 0) isOver = true;
  });
  const place = () => {
    requestAnimationFrame(place);
    const top = isShown() ? topOfFirst(app) : undefined;
    root.hidden = !top;
    if (top) root.style.translate = `${top.x}px ${top.y}px`;
  };
  requestAnimationFrame(place);
}

/** The highest point of the first body on the canvas (CSS pixels). */
function topOfFirst(app: App): { x: number; y: number } | undefined {
  const { graphics, simulation } = app;
  const { latest } = simulation;
  if (!graphics || !latest || latest.bodies.length === 0) return undefined;
  const { camera, canvas } = graphics.stage;
  const at = camera.position.clone();
  let [x, y, top] = [0, 0, Number.NEGATIVE_INFINITY];
  const { particles } = latest.bodies[0];
  for (let i = 0; i < particles; i += 3) {
    const [px, py, pz] = latest.arrays.particles.subarray(4 * i, 4 * i + 3);
    if (py > top) {
      top = py;
      y = at.set(px, py, pz).project(camera).y;
    }
    x += px;
  }
  x = at.set((3 * x) / particles, top, 0).project(camera).x;
  return { x: (0.5 + 0.5 * x) * canvas.clientWidth, y: (0.5 - 0.5 * y) * canvas.clientHeight };
}
