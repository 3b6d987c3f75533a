import type { App } from '../app.js';
import { make } from '../ui/dom.js';
import { watchRoom } from './room.js';

/**
 * Files may be dropped anywhere. While they hover, the page says what will happen. With Shift a mesh is added to the
 * open scene.
 */
export function mountDrop(root: HTMLElement, app: App): void {
  watchRoom(app);
  const what = make('p', {});
  const target = make('div', { id: 'drop-target', hidden: true, 'aria-hidden': 'true' }, what);
  root.append(target);
  // The pointer enters an element before it leaves the enclosing one.
  let depth = 0;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  const end = () => {
    depth = 0;
    target.hidden = true;
  };
  window.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth++;
    target.hidden = false;
  });
  window.addEventListener('dragleave', (event) => {
    if (hasFiles(event) && --depth <= 0) end();
  });
  window.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    what.textContent = event.shiftKey
      ? 'Drop a mesh: it joins the scene'
      : 'Drop a mesh (OBJ, PLY, STL, glTF) or a scene file — with Shift, a mesh joins the scene';
  });
  window.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    end();
    const files = [...event.dataTransfer!.files];
    const add = event.shiftKey || isChecked('own-add');
    const keepSize = isChecked('own-keep-size');
    void import('./openFiles.js').then(({ openFiles }) => openFiles(app, files, { add, keepSize }));
  });
}

/** The state of a box of the menu "Your mesh", which may not have been opened yet. */
const isChecked = (id: string) => (document.getElementById(id) as HTMLInputElement | null)?.checked ?? false;
