/** Keys that move the focus or act on the focused element, and not those that only type or are shortcuts. */
const MOVING = new Set(['Tab', 'Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

/**
 * Marks the page while it is used by keyboard, for the style sheet: browsers show the focus also after a click, once any
 * key was pressed.
 */
export function watchFocusMarks(): void {
  const { classList } = document.documentElement;
  window.addEventListener('keydown', ({ key }) => MOVING.has(key) && classList.add('by-keys'), { capture: true });
  window.addEventListener('pointerdown', () => classList.remove('by-keys'), { capture: true });
}
