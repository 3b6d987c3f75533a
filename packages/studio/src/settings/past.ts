import type { App, Side } from '../app.js';
import type { SceneJson } from '../sceneDocument.js';
import { commandsFor, type Place, readAt } from './edits.js';

/** A place that an edit changed, and the default of the setting there. */
export interface Touched {
  place: Place;
  preset: unknown;
}

/** An edit of a document. Without `touched` the document was changed in other ways, and is built anew. */
export interface Edit {
  side: Side;
  /** The changed thing in words: "softness". */
  what: string;
  before: SceneJson;
  after: SceneJson;
  touched?: readonly Touched[];
}

type Entry = (Edit & { kind: 'edit'; at: number }) | { kind: 'cut' };
const isCut = ({ kind }: Entry) => kind === 'cut';

/** Edits of one setting within so many milliseconds are one: a slider that is drawn. */
const TOGETHER = 1000;
/** Number of edits that can be taken back, and of cuts: the worker keeps a state for each. */
const MOST = 200;
const MOST_CUTS = 20;

/** The user's actions on the open document and its bodies, in order: edits and cuts can be taken back and done again. */
export class Past {
  private done: Entry[] = [];
  private undone: Entry[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly app: App,
    private readonly now: () => number = () => performance.now(),
  ) {
    app.on('opened', () => this.forget());
    app.on('beside', () => this.forget());
    // A world that was built anew has no cuts.
    app.on('built', () => {
      this.done = this.done.filter((entry) => !isCut(entry));
      this.undone = this.undone.filter((entry) => !isCut(entry));
      this.tell();
    });
  }

  /** The action that `undo` would take back, in words; undefined if there is none. */
  get nextUndo(): string | undefined {
    return wordsOf(this.done.at(-1));
  }

  get nextRedo(): string | undefined {
    return wordsOf(this.undone.at(-1));
  }

  record(edit: Edit): void {
    const last = this.done.at(-1);
    const at = this.now();
    this.undone = [];
    if (last?.kind === 'edit' && isSame(last, edit) && at - last.at < TOGETHER)
      Object.assign(last, { after: edit.after, at });
    else this.done.push({ kind: 'edit', at, ...edit });
    if (this.done.length > MOST) this.done.shift();
    this.tell();
  }

  recordCut(): void {
    this.done.push({ kind: 'cut' });
    if (this.done.filter(isCut).length > MOST_CUTS) this.done.splice(this.done.findIndex(isCut), 1);
    this.undone = [];
    this.tell();
  }

  undo(): void {
    const entry = this.done.pop();
    if (entry?.kind === 'cut') {
      this.undone.push(entry);
      this.app.simulation.send({ type: 'undo' });
    } else if (entry) {
      const wasRefused = JSON.stringify(this.jsonOf(entry.side)) === JSON.stringify(entry.before);
      // The engine refused it, so that the document is as before: the edit before it is taken back instead.
      if (wasRefused) this.undo();
      else {
        this.undone.push(entry);
        this.turnTo(entry, entry.before);
      }
    }
    this.tell();
  }

  redo(): void {
    const entry = this.undone.pop();
    if (entry) this.done.push(entry);
    if (entry?.kind === 'cut') this.app.simulation.send({ type: 'redo' });
    else if (entry) this.turnTo(entry, entry.after);
    this.tell();
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private turnTo({ side, touched }: Edit, json: SceneJson): void {
    const { app } = this;
    const simulation = side === 'right' ? app.second : app.simulation;
    const present = this.jsonOf(side);
    if (!present || !simulation) return;
    const commands = simulation.isBuilding
      ? [undefined]
      : (touched ?? [undefined]).map(
          (one) => one && commandsFor(present, one.place, readAt(json, one.place), one.preset),
        );
    if (commands.some((some) => some === undefined)) app.rebuild(json, side);
    else {
      for (const command of commands.flat()) simulation.send(command!);
      app.amend(json, side);
    }
  }

  private jsonOf(side: Side): SceneJson | undefined {
    return side === 'right' ? this.app.variant : this.app.document?.json;
  }

  private forget(): void {
    this.done = [];
    this.undone = [];
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

const wordsOf = (entry: Entry | undefined) => entry && (entry.kind === 'cut' ? 'the last cut' : entry.what);

/** Whether two edits changed the same places. */
function isSame(a: Edit, b: Edit): boolean {
  const places = ({ side, touched }: Edit) =>
    touched && JSON.stringify([side, touched.map(({ place: { body, part, path } }) => [body, part, path])]);
  return places(a) !== undefined && places(a) === places(b);
}
