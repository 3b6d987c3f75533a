import type { App, Side } from '../app.js';
import type { SceneJson } from '../sceneDocument.js';
import { commandsFor, type Place, readAt, writeAt } from './edits.js';
import { bodyName, isOffered, materialOf, type Part, sharers } from './parts.js';
import { Unsure } from './unsure.js';

/** Milliseconds after the last edit at which a scene is built anew. */
const PATIENCE = 400;

/**
 * Edits of the open document, or of its variant in a comparison. Edits that the running world can take are sent to it;
 * others build the scene anew.
 */
export class Editor {
  /** Number of the body whose settings are shown. */
  body = 0;
  private readonly listeners = new Set<() => void>();
  private waiting: { json: SceneJson; side: Side; timer: ReturnType<typeof setTimeout> } | undefined;
  private readonly unsure: Unsure;

  constructor(private readonly app: App) {
    this.unsure = new Unsure(app);
    app.on('edited', () => {
      const bodies = this.json?.bodies.length ?? 0;
      if (this.body >= bodies) this.body = 0;
      this.tell();
    });
    app.on('document', ({ json }) => {
      // Another document was opened before this one was built.
      if (this.waiting?.side === 'left' && json !== this.waiting.json) this.forget();
    });
    app.on('beside', () => this.forget());
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
    this.body = body;
    this.tell();
  }

  read(place: Omit<Place, 'body'>): unknown {
    return this.json && readAt(this.json, { ...place, body: this.body });
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
  write(where: Omit<Place, 'body'>, value: unknown, preset?: unknown): void {
    const { app } = this;
    const { side, edited } = app;
    if (!edited) return;
    const place = { ...where, body: this.body };
    const commands = commandsFor(edited.json, place, value, preset);
    const json = writeAt(edited.json, place, value);
    const edit = this.unsure.begin(
      side,
      place,
      edited.json,
      json,
      preset,
      commands === undefined || edited.simulation.isBuilding,
    );
    // A world that is being built cannot take commands: the build begins anew with the edit.
    const building = this.waiting?.side === side || edited.simulation.isBuilding;
    if (this.waiting && (!commands || building)) {
      // An edit of the other side does not wait for this one.
      if (!building) app.rebuild(this.waiting.json, this.waiting.side);
      this.forget();
    }
    if (!commands || building) {
      const timer = setTimeout(() => {
        this.waiting = undefined;
        app.rebuild(json, side);
      }, PATIENCE);
      this.waiting = { json, side, timer };
    }
    for (const command of commands ?? []) edited.simulation.send({ ...command, edit });
    app.amend(json, side);
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
