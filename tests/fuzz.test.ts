import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
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
const CASES = { worlds: 60, backends: 25, snapshots: 25, files: 150, cli: 12, soak: 1 };

describe('the short form of the fuzzers', () => {
  it.each(Object.entries(CASES))('%s finds nothing', { timeout: 600_000 }, async (name, cases) => {
    const { code, out } = await fuzz(name, '--cases', String(cases), '--seed', PLIANT_SEED, '--quick');
    expect(out).toContain(`seed ${PLIANT_SEED}`);
    expect(out).toContain(`${name}: ${cases} cases`);
    expect(code, out).toBe(0);
  });
});

describe('a planted defect', () => {
  /** What is found with a defect planted: the script of the finding that `kind` begins. */
  async function scriptOf(plant: string, kind: RegExp, cases: number): Promise<string> {
    const module = `fuzz/testing/${plant}.mjs`;
    const { code, out } = await fuzz('worlds', '--cases', String(cases), '--seed', '1', '--with', module);
    expect(code, out).toBe(1);
    const scripts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const found = scripts.find((script) => kind.test(script));
    expect(found, out).toBeDefined();
    return found!;
  }

  /** Calls in a script, that which makes the world included. */
  const callsOf = (script: string) => script.split('\n').filter((line) => /^let world|^attempt|^for/.test(line));

  it('that throws is found and shrunk to the calls it takes', { timeout: 600_000 }, async () => {
    const script = await scriptOf('plantThrow', /RangeError: Invalid typed array length: -1/, 25);
    const calls = callsOf(script);
    expect(calls.length).toBeLessThanOrEqual(4);
    expect(calls.at(-1)).toContain('world.cut(');
  });

  it('that never returns is found, with the place where it is', { timeout: 600_000 }, async () => {
    const script = await scriptOf('plantHang', /^\/\/ hang .*call: sleep/, 60);
    expect(callsOf(script).some((call) => call.includes('.pin('))).toBe(true);
    expect(callsOf(script).length).toBeLessThanOrEqual(6);
  });

  it('that loses or makes mass is found', { timeout: 600_000 }, async () => {
    const script = await scriptOf('plantLeak', /^\/\/ mass .*call: separate/, 40);
    expect(callsOf(script).length).toBeLessThanOrEqual(5);
  });

  it('that leaves something behind when it refuses is found', { timeout: 600_000 }, async () => {
    const script = await scriptOf('plantHalfRefusal', /^\/\/ refused but changed .*call: setMaterial/, 60);
    expect(script).toContain('velocities');
    expect(callsOf(script).length).toBeLessThanOrEqual(4);
  });
});
