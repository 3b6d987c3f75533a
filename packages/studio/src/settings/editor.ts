import type { App, Side } from '../app.js';
import type { SettingCommand } from '../protocol.js';
import type { SceneJson } from '../sceneDocument.js';
import { commandsFor, type Place, readAt, writeAt } from './edits.js';
import { bodyName, isOffered, materialOf, type Part, sharers } from './parts.js';
import { findNamed, move, moveNamed, nameOf, type Thing } from './things.js';
import { Unsure } from './unsure.js';

/** A new value at a place of the body that is shown; undefined is the default. */
export interface Change {
  where: Omit<Place, 'body'>;
  value: unknown;
  /** The default of the setting. */
  preset?: unknown;
}

/** Milliseconds after the last edit at which a scene is built anew. */
const PATIENCE = 400;

/**
 * Edits of the open document, or of its variant in a comparison. Edits that the running world can take are sent to it;
 * others build the scene anew.
 */
export class Editor {
  /** Number of the body whose settings are shown. */
  body = 0;
  /** The body or obstacle whose place is shown. */
  chosen: Thing = { kind: 'body', at: 0 };
  private readonly listeners = new Set<() => void>();
  private waiting: { json: SceneJson; side: Side; timer: ReturnType<typeof setTimeout> } | undefined;
  private readonly unsure: Unsure;

  constructor(private readonly app: App) {
    this.unsure = new Unsure(app);
    app.on('edited', () => {
      const bodies = this.json?.bodies.length ?? 0;
      if (this.body >= bodies) this.body = 0;
      if (this.waiting?.side === 'right' && app.variant !== this.waiting.json) this.forget();
      this.tell();
    });
    app.on('document', ({ json }) => {
      // Another document was opened before this one was built.
      if (this.waiting?.side === 'left' && json !== this.waiting.json) this.forget();
    });
    app.on('beside', () => this.forget());
    app.on('move', ({ body, by }) => {
      const { json } = this;
      if (json) this.replace(moveNamed(json, body, by), `the place of ${body}`);
    });
    app.on('moveObstacle', ({ at, by }) => {
      const { json } = this;
      const thing: Thing = { kind: 'obstacle', at };
      if (json) this.replace(move(json, thing, by), `the place of ${nameOf(json, thing)}`);
    });
    app.on('choose', (which) => {
      const at = typeof which === 'number' ? which : this.json && findNamed(this.json, which)?.at;
      if (at !== undefined) this.chooseThing({ kind: typeof which === 'number' ? 'obstacle' : 'body', at });
    });
    app.on('warnings', () => this.tell());
  }

  get json(): SceneJson | undefined {
    return this.app.edited?.json;
  }

  get bodies(): string[] {
    const { json } = this;
    return json ? json.bodies.map((_, k) => bodyName(json, k)) : [];
  }

  choose(body: number): void {
    this.chooseThing({ kind: 'body', at: body });
  }

  chooseThing(thing: Thing): void {
    this.chosen = thing;
    if (thing.kind === 'body') this.body = thing.at;
    this.tell();
  }

  read(place: Omit<Place, 'body'>): unknown {
    return this.json && readAt(this.json, { ...place, body: this.body });
  }

  /** A field of the body itself: its colour. */
  readBody(key: string): unknown {
    return this.json?.bodies[this.body]?.[key];
  }

  writeBody(key: string, value: unknown): void {
    const { json, body } = this;
    if (!json || json.bodies[body]?.[key] === value) return;
    const bodies = json.bodies.map(({ [key]: was, ...others }, k) => {
      if (k === body) return value === undefined ? others : { ...others, [key]: value };
      return was === undefined ? others : { ...others, [key]: was };
    });
    this.replace({ ...json, bodies }, `the ${key} of ${bodyName(json, body)}`);
  }

  /** Names of the other bodies that an edit of the material changes too. */
  get sharing(): string[] {
    const { json, body } = this;
    if (!json) return [];
    return sharers(json, body, 'material')
      .filter((k) => k !== body)
      .map((k) => bodyName(json, k));
  }

  /** Whether a setting has a meaning beside what the body's material says. */
  offers(part: Part, key: string): boolean {
    return !this.json || isOffered(this.json, this.body, part, key);
  }

  /** The preset that the body's material begins with, if it does. */
  get preset(): string | undefined {
    return this.json && (materialOf(this.json, this.body)['preset'] as string | undefined);
  }

  /** The world's warnings about the body's material. */
  get warnings(): readonly string[] {
    const { json, body } = this;
    const scene = this.app.edited?.simulation.scene;
    return (json && scene?.materialWarnings[scene.bodies.indexOf(bodyName(json, body))]) ?? [];
  }

  /** `preset`: the default of the setting, for a value that is taken away. */
  write(where: Omit<Place, 'body'>, value: unknown, preset?: unknown, what?: string): void {
    this.writeAll([{ where, value, preset }], what ?? where.path.at(-1) ?? where.part);
  }

  /** Several changes as one edit. `what`: its name for undoing. */
  writeAll(changes: readonly Change[], what: string): void {
    const { side, edited } = this.app;
    if (!edited) return;
    const { simulation } = edited;
    // A world that is being built cannot take commands: the build begins anew with the edit.
    let rebuilds = this.waiting?.side === side || simulation.isBuilding;
    const commands: SettingCommand[] = [];
    let { json } = edited;
    const touched = changes.map(({ where, value, preset }) => {
      const place = { ...where, body: this.body };
      const its = commandsFor(json, place, value, preset);
      if (!its) rebuilds = true;
      const next = writeAt(json, place, value);
      const edit = this.unsure.begin(side, place, json, next, preset, rebuilds);
      for (const command of its ?? []) commands.push({ ...command, edit });
      json = next;
      return { place, preset };
    });
    if (rebuilds) this.buildSoon(json, side);
    for (const command of commands) simulation.send(command);
    this.app.past.record({ side, what, before: edited.json, after: json, touched });
    this.app.amend(json, side);
  }

  /** Replaces the whole document: bodies or obstacles come, go or move. */
  replace(json: SceneJson, what: string): void {
    const { side, edited } = this.app;
    if (!edited) return;
    this.unsure.beginWhole(side, edited.json);
    this.forget();
    this.app.past.record({ side, what, before: edited.json, after: json });
    this.app.rebuild(json, side);
  }

  /** Builds after a pause in the edits. */
  private buildSoon(json: SceneJson, side: Side): void {
    // An edit of the other side does not wait for this one.
    if (this.waiting && this.waiting.side !== side) this.app.rebuild(this.waiting.json, this.waiting.side);
    this.forget();
    const timer = setTimeout(() => {
      this.waiting = undefined;
      this.app.rebuild(json, side);
    }, PATIENCE);
    this.waiting = { json, side, timer };
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  private forget(): void {
    clearTimeout(this.waiting?.timer);
    this.waiting = undefined;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
