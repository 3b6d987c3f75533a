import type { Insets, Stage } from '../view/stage.js';
import { part } from './dom.js';

/** Parts of the page that lie over the canvas at one of its edges. The style sheet says at which: --edge. */
const PARTS = ['top', 'tools', 'controls', 'panel', 'legend'];

/** Tells the camera which strips of the canvas are covered, whenever that changes. */
export function watchFreeArea(stage: Stage): void {
  const parts = PARTS.map(part);
  const update = () => {
    const insets = insetsOf(stage.canvas, parts);
    part('halves').classList.toggle('stacked', stage.isStacked);
    stage.setInsets(insets);
    const { x, y } = stage.middle;
    const box = stage.canvas.getBoundingClientRect();
    // For the mark of the keyboard, which takes hold there.
    part('stage').style.setProperty('--middle-x', `${x - box.left}px`);
    part('stage').style.setProperty('--middle-y', `${y - box.top}px`);
    part('stage').style.setProperty('--covered-top', `${insets.top}px`);
  };
  const watch = new ResizeObserver(update);
  for (const one of [stage.canvas, ...parts]) watch.observe(one);
}

function insetsOf(canvas: HTMLElement, parts: readonly HTMLElement[]): Insets {
  const insets: Insets = { left: 0, top: 0, right: 0, bottom: 0 };
  const box = canvas.getBoundingClientRect();
  for (const one of parts) {
    const own = one.getBoundingClientRect();
    if (own.width === 0 || own.right <= box.left || own.left >= box.right) continue;
    const covered: Insets = {
      left: own.right - box.left,
      top: own.bottom - box.top,
      right: box.right - own.left,
      bottom: box.bottom - own.top,
    };
    const edge = getComputedStyle(one).getPropertyValue('--edge').trim() as keyof Insets;
    if (edge in insets) insets[edge] = Math.max(insets[edge], covered[edge]);
  }
  return insets;
}
