import type { World } from 'pliant';
import type { SettingCommand } from '../protocol.js';
import { originOf } from './origin.js';

type Tree = Record<string, unknown>;

/**
 * The settings that the user changed while a scene ran. Kept states have the settings of their time. After a return to
 * one the changed settings are applied again, so that it runs with those that the panel shows.
 */
export class Settings {
  private readonly said = new Map<string, SettingCommand>();

  /** `origins`: names of the scene's bodies, from which those of their pieces derive. */
  constructor(
    private readonly world: World,
    private readonly origins: readonly string[],
  ) {}

  set(command: SettingCommand): void {
    this.apply(command);
    const key = command.type === 'gravity' ? 'gravity' : `${command.type} ${command.body}`;
    this.said.set(key, merge(this.said.get(key), command) as SettingCommand);
  }

  /** Applies the settings again; returns whether there were any. */
  setAgain(): boolean {
    // An earlier state may have fewer bodies.
    for (const command of this.said.values())
      if (command.type === 'gravity' || this.bodiesNamed(command.body).length > 0) this.apply(command);
    return this.said.size > 0;
  }

  private apply(command: SettingCommand): void {
    if (command.type === 'gravity') {
      this.world.gravity = command.gravity;
      return;
    }
    const bodies = this.bodiesNamed(command.body);
    if (bodies.length === 0) throw new Error(`There is no body "${command.body}" any more.`);
    for (const body of bodies) {
      if (command.type === 'material') body.setMaterial(command.material);
      else body.setLevels(command.levels);
    }
  }

  /** A body and its pieces. */
  private bodiesNamed(name: string) {
    const { origins } = this;
    return this.world.bodies.filter((body) => origins[originOf(body.name, origins)] === name);
  }
}

function merge(before: unknown, after: unknown): unknown {
  if (!isTree(before) || !isTree(after)) return after;
  const both: Tree = { ...before };
  for (const [key, value] of Object.entries(after)) both[key] = merge(before[key], value);
  return both;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
