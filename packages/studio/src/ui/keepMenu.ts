import type { App } from '../app.js';
import { exportGlb, exportPly, savePicture, saveScene } from '../saving/actions.js';
import { bakeMotion } from '../saving/bakeMotion.js';
import { isRecording, toggleRecording } from '../saving/recorder.js';
import { linkTo } from '../saving/share.js';
import { openFiles } from '../userFiles/openFiles.js';
import { make } from './dom.js';

/** Save, load, share, export, record: fills the menu that opens under "Keep". */
export function fillKeep(root: HTMLElement, app: App): void {
  /** A button that is disabled while it works, and reports errors. */
  const button = (id: string, text: string, help: string, act: () => Promise<void>) => {
    const made = make('button', { type: 'button', id, title: help }, text);
    made.onclick = async () => {
      made.disabled = true;
      try {
        await act();
      } catch (error) {
        app.say((error as Error).message, 'problem');
      }
      made.disabled = false;
    };
    return made;
  };
  /** A button that runs the scene once more, aside, and shows how far it is. */
  const motion = (format: 'glb' | 'usdz', text: string, help: string) => {
    const made = button(`bake-${format}`, text, help, async () => {
      await bakeMotion(app, format, (share) => {
        made.textContent = `${text} ${Math.floor(100 * share)} %`;
      }).finally(() => {
        made.textContent = text;
      });
    });
    return made;
  };
  const link = make('input', {
    type: 'text',
    id: 'link',
    readonly: true,
    'aria-label': 'Link to this scene',
    hidden: true,
  });
  const file = make('input', {
    type: 'file',
    id: 'scene-file',
    accept: '.json,.jsonc,application/json',
    multiple: true,
  });
  file.onchange = () => {
    root.hidePopover();
    void openFiles(app, [...(file.files ?? [])], { add: false, keepSize: false }).then(() => {
      file.value = '';
    });
  };
  const record = button('record', 'Record a video', 'Films the scene until you stop it', async () => {
    await toggleRecording(app);
    if (isRecording()) root.hidePopover();
  });
  root.append(
    group(
      'This scene',
      button('save-scene', 'Save the scene file', 'JSON, with the meshes it needs inside', () => saveScene(app)),
      button('share', 'Copy a link', 'The scene with all its settings, within an address', async () => {
        if (!app.document) return;
        link.value = await linkTo(app.document);
        link.hidden = false;
        await copy(link, app);
      }),
      link,
      make('label', {}, 'Load a scene file ', file),
    ),
    group(
      'Its shape at this moment',
      button('export-glb', 'GLB', 'Surfaces with colours, for Blender, three.js and the like', () => exportGlb(app)),
      button('export-ply', 'PLY', 'Surfaces in one mesh', () => exportPly(app, 'surface')),
      button('export-particles', 'PLY of particles', 'A cloud of points', () => exportPly(app, 'particles')),
    ),
    group(
      'Its motion from the start',
      motion('glb', 'GLB', 'An animation for Blender, three.js and the like'),
      motion('usdz', 'USDZ', 'An animation whose meshes may come apart, for Houdini, Blender and the like'),
    ),
    group(
      'What is seen',
      button('save-picture', 'Picture (PNG)', 'The scene as it is drawn now', () => savePicture(app)),
      record,
    ),
  );
  app.on('document', () => {
    link.hidden = true;
  });
  root.addEventListener('beforetoggle', () => {
    record.textContent = isRecording() ? 'Stop recording' : 'Record a video';
  });
}

const group = (title: string, ...parts: Node[]) => make('fieldset', {}, make('legend', {}, title), ...parts);

async function copy(link: HTMLInputElement, app: App): Promise<void> {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    app.say('The link is on the clipboard.');
  } catch {
    app.say('The browser lets no page write to the clipboard here: copy the link from the menu.');
  }
}
