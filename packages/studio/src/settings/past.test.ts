import { beforeEach, expect, it } from 'vitest';
import type { App, AppEvents } from '../app.js';
import type { Command } from '../protocol.js';
import type { SceneJson } from '../sceneDocument.js';
import { writeAt } from './edits.js';
import { Past } from './past.js';

const scene: SceneJson = { bodies: [{ name: 'ball', material: { young: 1e5, density: 1000 } }] };
const at = (...path: string[]) => ({ body: 0, part: 'material' as const, path });

/** The part of the app that the past uses. */
function fakeApp() {
  const listeners: Record<string, ((value: unknown) => void)[]> = {};
  const sent: Command[] = [];
  const emit = (name: keyof AppEvents, value?: unknown) => {
    for (const listener of listeners[name] ?? []) listener(value);
  };
  const app = {
    document: { json: scene },
    original: scene,
    built: [] as SceneJson[],
    simulation: { isBuilding: false, send: (command: Command) => sent.push(command) },
    on: (name: keyof AppEvents, listener: (value: unknown) => void) => {
      listeners[name] = [...(listeners[name] ?? []), listener];
    },
    amend(json: SceneJson) {
      app.document = { json };
      emit('document', app.document);
    },
    rebuild(json: SceneJson) {
      app.amend(json);
      app.built.push(json);
    },
  };
  return { app, sent, emit };
}

let [fake, clock] = [fakeApp(), 0];
let past: Past;
beforeEach(() => {
  [fake, clock] = [fakeApp(), 0];
  past = new Past(fake.app as unknown as App, () => clock);
});

function edit(path: string, value: unknown, after = 5000): void {
  clock += after;
  const before = fake.app.document.json;
  const json = writeAt(before, at(path), value);
  past.record({ side: 'left', what: path, before, after: json, touched: [{ place: at(path), preset: 0.3 }] });
  fake.app.amend(json);
}
const material = () => fake.app.document.json.bodies[0]['material'];

it('takes edits back in the running world, and does them again', () => {
  edit('young', 2e5);
  edit('poisson', 0.4);
  past.undo();
  expect(material()).toEqual({ young: 1e5 * 2, density: 1000 });
  expect(fake.sent.at(-1)).toEqual({ type: 'material', body: 'ball', material: { poisson: 0.3 } });
  past.undo();
  expect(material()).toEqual({ young: 1e5, density: 1000 });
  expect([past.nextUndo, past.nextRedo]).toEqual([undefined, 'young']);
  past.redo();
  past.redo();
  expect(material()).toEqual({ young: 2e5, density: 1000, poisson: 0.4 });
  expect(fake.app.built).toEqual([]);
});

it('builds anew what the running world cannot take', () => {
  edit('density', 500);
  past.undo();
  expect(fake.app.built).toEqual([scene]);
});

it('takes a slider that was drawn as one edit, and the next as another', () => {
  for (const young of [2e5, 3e5, 4e5]) edit('young', young, 50);
  edit('young', 9e5);
  past.undo();
  expect(material()).toEqual({ young: 4e5, density: 1000 });
  past.undo();
  expect(material()).toEqual({ young: 1e5, density: 1000 });
});

it('goes through cuts and edits in their order, and forgets cuts of a world that is gone', () => {
  past.recordCut();
  edit('young', 2e5);
  past.recordCut();
  past.undo();
  expect(fake.sent.at(-1)).toEqual({ type: 'undo' });
  expect([past.nextUndo, past.nextRedo]).toEqual(['young', 'the last cut']);
  past.redo();
  expect(fake.sent.at(-1)).toEqual({ type: 'redo' });
  expect([past.nextUndo, past.nextRedo]).toEqual(['the last cut', undefined]);
  past.undo();
  fake.emit('built', 'left');
  expect(past.nextRedo).toBeUndefined();
  past.undo();
  expect(past.nextUndo).toBeUndefined();
  expect(material()).toEqual({ young: 1e5, density: 1000 });
});

it('passes over an edit that the engine refused, and forgets all with another document', () => {
  edit('young', 2e5);
  const kept = fake.app.document.json;
  edit('poisson', 0.4);
  fake.app.amend(kept);
  past.undo();
  expect(material()).toEqual({ young: 1e5, density: 1000 });
  fake.emit('opened', { json: scene });
  expect([past.nextUndo, past.nextRedo]).toEqual([undefined, undefined]);
});
