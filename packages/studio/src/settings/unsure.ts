import type { App, Side } from '../app.js';
import type { SceneJson } from '../sceneDocument.js';
import { commandsFor, type Place, readAt, writeAt } from './edits.js';

interface Edit {
  side: Side;
  place: Place;
  /** The values before and after the edit. */
  was: unknown;
  is: unknown;
  preset: unknown;
}

/** Number of edits that are remembered: worlds answer within a frame or two. */
const MOST = 100;

/**
 * Edits that the engine may still refuse: a field checks its own range, not combinations of settings. A running world
 * that refuses one continues with the former value; the document gets that value back. If a scene cannot be built, the
 * document becomes that of the world that still runs.
 */
export class Unsure {
  private readonly edits = new Map<number, Edit>();
  /** The last document of each side that was built, if there are later edits. */
  private readonly built = new Map<Side, { json: SceneJson; of: SceneJson | undefined }>();
  private count = 0;

  constructor(private readonly app: App) {
    app.on('refused', ({ side, edit }) => this.takeBack(side, edit));
    app.on('built', (side) => this.built.delete(side));
    // After all other listeners.
    app.on('failed', (side) => queueMicrotask(() => this.goBack(side)));
    app.on('beside', () => this.built.clear());
  }

  /** Remembers an edit and returns the number for its commands. `rebuilds`: the world has to be built anew for it. */
  begin(side: Side, place: Place, before: SceneJson, after: SceneJson, preset: unknown, rebuilds: boolean): number {
    const edit = ++this.count;
    this.edits.set(edit, { side, place, was: readAt(before, place), is: readAt(after, place), preset });
    this.edits.delete(edit - MOST);
    if (rebuilds && !this.built.has(side)) this.built.set(side, { json: before, of: this.app.original });
    return edit;
  }

  /** Remembers an edit of the whole document. */
  beginWhole(side: Side, before: SceneJson): void {
    if (!this.built.has(side)) this.built.set(side, { json: before, of: this.app.original });
  }

  private takeBack(side: Side, number: number): void {
    const edit = this.edits.get(number);
    const json = this.jsonOf(side);
    this.edits.delete(number);
    // The value has changed since, or that side of the comparison is closed.
    if (!edit || !json || edit.side !== side || readAt(json, edit.place) !== edit.is) return;
    // Of several bodies the first may have accepted it.
    const commands = commandsFor(json, edit.place, edit.was, edit.preset) ?? [];
    const simulation = side === 'right' ? this.app.second : this.app.simulation;
    if (commands.length > 1) for (const command of commands) simulation?.send(command);
    this.app.amend(writeAt(json, edit.place, edit.was), side);
  }

  private goBack(side: Side): void {
    const last = this.built.get(side);
    this.built.delete(side);
    // Another scene was opened.
    if (!last || !this.jsonOf(side) || last.of !== this.app.original) return;
    this.app.amend(last.json, side);
    this.app.say('It is back at what it was.');
  }

  private jsonOf(side: Side): SceneJson | undefined {
    return side === 'right' ? this.app.variant : this.app.document?.json;
  }
}
