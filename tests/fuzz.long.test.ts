import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pliant-found-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { PLIANT_SEED = '0' } = process.env;

/** `npm run fuzz` without the building, which `npm test` has done. */
function fuzz(...args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['fuzz/run.mjs', ...args, '--folder', folder], { cwd: root });
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    child.stderr.on('data', (text) => (out += text));
    child.on('close', (code) => resolve({ code, out }));
  });
}

/** Each some seconds of CPU time. `npm run fuzz -- --minutes 30` is the long form. */
const CASES = { worlds: 16, backends: 10, snapshots: 12, files: 60, cli: 5, soak: 1 };

describe('the short form of the fuzzers', () => {
  it.each(Object.entries(CASES))('%s finds nothing', async (name, cases) => {
    const { code, out } = await fuzz(name, '--cases', String(cases), '--seed', PLIANT_SEED, '--shrink', '0');
    expect(out).toContain(`seed ${PLIANT_SEED}`);
    expect(out).toContain(`${name}: ${cases} cases`);
    expect(code, out).toBe(0);
  });
});

describe('a planted defect', () => {
  /** Plants a defect and returns the script of the finding that `until` looks for. */
  async function scriptOf(plant: string, until: string, seed: string, patience = '3', only?: string): Promise<string> {
    const args = ['--seed', seed, '--with', `fuzz/testing/${plant}.mjs`, '--until', until];
    // Of a defect that few cases show, the case is named: random search takes a minute to come to it.
    args.push(...(only === undefined ? ['--cases', '200'] : ['--case', only]));
    const { code, out } = await fuzz('worlds', ...args, '--shrink', '60', '--patience', patience);
    expect(code, out).toBe(1);
    const path = out.match(/repeat by: node (.*)/)![1];
    return readFileSync(path, 'utf8');
  }

  /** Calls in a script, that which makes the world included. */
  const callsOf = (script: string) => script.split('\n').filter((line) => /^let world|^attempt|^for/.test(line));

  it('that throws is found and shrunk to the calls it takes', async () => {
    const script = await scriptOf('plantThrow', 'RangeError: Invalid typed array length: -1', '1');
    const calls = callsOf(script);
    expect(calls.length).toBeLessThanOrEqual(4);
    expect(calls.at(-1)).toContain('world.cut(');
  });

  it('that never returns is found, with the call that does not', async () => {
    const script = await scriptOf('plantHang', 'hang at sleep', '4', '1');
    expect(script).toMatch(/^\/\/ hang .*call: sleep/);
    expect(script).toContain('.pin(');
  });

  it('that loses mass is found', async () => {
    const script = await scriptOf('plantLeak', 'mass at cut', '102');
    expect(callsOf(script).length).toBeLessThanOrEqual(5);
  });

  it('that leaves something behind when it refuses is found', async () => {
    const script = await scriptOf('plantHalfRefusal', 'refused but changed at addBody', '1');
    expect(script).toContain('time');
    expect(callsOf(script).length).toBeLessThanOrEqual(4);
  });

  it('that leaves half a step behind when a force function throws is found', async () => {
    const script = await scriptOf('plantHalfStep', 'left but changed at step', '13', '3', '123');
    expect(script).toContain('throw new Error');
    expect(callsOf(script).length).toBeLessThanOrEqual(4);
  });
});
