import type { App } from '../app.js';
import { openFiles } from '../userFiles/openFiles.js';
import { make } from './dom.js';

/** Fills the menu under "Your mesh": a file input, and options for the import. */
export function fillOwn(root: HTMLElement, app: App): void {
  const file = make('input', {
    type: 'file',
    id: 'own-file',
    accept: '.obj,.ply,.stl,.gltf,.glb,.bin,.json,.jsonc',
    multiple: true,
  });
  const add = make('input', { type: 'checkbox', id: 'own-add' });
  const keepSize = make('input', { type: 'checkbox', id: 'own-keep-size' });
  file.onchange = () => {
    root.hidePopover();
    const options = { add: add.checked, keepSize: keepSize.checked };
    void openFiles(app, [...(file.files ?? [])], options).then(() => {
      file.value = '';
    });
  };
  root.append(
    make('p', {}, 'Drop a closed mesh anywhere on the page, or choose it here: OBJ, PLY, STL, glTF or GLB.'),
    make('label', {}, 'Your mesh ', file),
    make('label', { class: 'check' }, add, 'Add it to the scene (or drop it with Shift)'),
    make('label', { class: 'check' }, keepSize, 'Keep its size: one unit is a metre'),
  );
}
