import type { App } from '../app.js';
import type { SceneJson } from '../sceneDocument.js';
import type { Editor } from '../settings/editor.js';
import {
  addBody,
  addObstacle,
  duplicate,
  move,
  NEW_BODIES,
  NEW_OBSTACLES,
  nameOf,
  positionOf,
  remove,
  type Thing,
  thingsOf,
} from '../settings/things.js';
import type { Box } from '../userFiles/ownScene.js';
import { roomAtStart } from '../userFiles/room.js';
import { make } from './dom.js';

const AXES = ['x', 'y', 'z'] as const;

/** Bodies and obstacles: chosen, added, duplicated, moved, deleted; and the scene saved. */
export function fillThings(root: HTMLElement, editor: Editor, app: App): void {
  const list = make('ul', { class: 'things', 'aria-label': 'Bodies and obstacles' });
  const inputs = AXES.map((axis) => {
    const input = make('input', {
      type: 'number',
      id: `thing-${axis}`,
      step: 0.05,
      'aria-label': `Position ${axis} (m)`,
    });
    input.onchange = () => {
      const { json } = editor;
      if (!json || input.value === '') return update();
      const by = positionOf(json, editor.chosen).map((was, k) => (AXES[k] === axis ? Number(input.value) - was : 0));
      change(`the place of ${nameOf(json, editor.chosen)}`, (now) =>
        move(now, editor.chosen, by as [number, number, number]),
      );
    };
    return input;
  });
  const change = (what: string, of: (json: SceneJson, room: Box) => SceneJson) => {
    const { json } = editor;
    if (!json) return;
    try {
      editor.replace(of(json, roomAtStart()), what);
    } catch (error) {
      app.say((error as Error).message, 'problem');
    }
  };
  const button = (id: string, text: string, act: (json: SceneJson) => void) => {
    const made = make('button', { type: 'button', id, class: 'plain' }, text);
    made.onclick = () => editor.json && act(editor.json);
    return made;
  };
  /** A menu whose entries each add a thing. */
  const menu = (id: string, label: string, kinds: Record<string, { words: string }>, add: typeof addBody) => {
    const select = make(
      'select',
      { id, 'aria-label': label },
      make('option', { value: '' }, `${label} …`),
      ...Object.entries(kinds).map(([kind, { words }]) => make('option', { value: kind }, words)),
    );
    select.onchange = () => {
      const kind = select.value;
      select.value = '';
      if (kind === '') return;
      change(`the new ${kind}`, (json, room) => add(json, kind, room));
      choose(last(add === addBody ? 'body' : 'obstacle'));
    };
    return select;
  };
  const last = (kind: Thing['kind']) =>
    thingsOf(editor.json!).findLast((thing) => thing.kind === kind) ?? editor.chosen;
  const choose = (thing: Thing) => {
    editor.chooseThing(thing);
  };
  const save = make(
    'button',
    { type: 'button', id: 'things-save', class: 'plain', title: 'A file with all of it (Ctrl S)' },
    'Save the scene',
  );
  save.onclick = () =>
    void import('../saving/actions.js')
      .then(({ saveScene }) => saveScene(app))
      .catch((error: Error) => app.say(error.message, 'problem'));
  root.append(
    list,
    make(
      'div',
      { class: 'field' },
      make('span', { id: 'thing-place' }, 'Place (m)'),
      make('span', { class: 'vector', role: 'group', 'aria-labelledby': 'thing-place' }, ...inputs),
    ),
    make(
      'div',
      { class: 'buttons' },
      button('thing-duplicate', 'Duplicate', (json) => {
        const { min, max } = roomAtStart();
        const aside = Number((0.3 * Math.max(0.3, max[0] - min[0])).toPrecision(2));
        change(`the copy of ${nameOf(json, editor.chosen)}`, (now) => duplicate(now, editor.chosen, [aside, 0, 0]));
        choose(last(editor.chosen.kind));
      }),
      button('thing-delete', 'Delete', (json) => {
        const { kind } = editor.chosen;
        change(`the deletion of ${nameOf(json, editor.chosen)}`, (now) => remove(now, editor.chosen));
        choose(thingsOf(editor.json!).find((thing) => thing.kind === kind) ?? { kind: 'body', at: 0 });
      }),
    ),
    make(
      'div',
      { class: 'buttons' },
      menu('add-body', 'Add a body', NEW_BODIES, addBody),
      menu('add-obstacle', 'Add an obstacle', NEW_OBSTACLES, addObstacle),
      save,
    ),
  );
  let shown = '';
  const update = () => {
    const { json } = editor;
    if (!json) return;
    const things = thingsOf(json);
    const isThere = things.some(({ kind, at }) => kind === editor.chosen.kind && at === editor.chosen.at);
    if (editor.chosen.kind === 'body' || !isThere) editor.chosen = { kind: 'body', at: editor.body };
    const { chosen } = editor;
    const words = things.map((thing) => `${thing.kind} ${nameOf(json, thing)}`).join('\n');
    if (words !== shown) list.replaceChildren(...things.map((thing) => itemOf(json, thing)));
    shown = words;
    list.querySelectorAll('button').forEach((item, k) => {
      item.setAttribute('aria-pressed', String(things[k].kind === chosen.kind && things[k].at === chosen.at));
    });
    positionOf(json, chosen).forEach((value, k) => {
      if (document.activeElement !== inputs[k]) inputs[k].value = String(value);
    });
  };
  const itemOf = (json: SceneJson, thing: Thing) => {
    const item = make('button', { type: 'button' }, nameOf(json, thing), make('small', {}, thing.kind));
    item.onclick = () => choose(thing);
    return make('li', {}, item);
  };
  editor.onChange(update);
  update();
}
