import { buildWorld, loadScene } from '@pliant/scene';
import { type Backend, hashData, hashSnapshot, type Snapshot, type World } from 'pliant';

/**
 * The program that every host runs, bundled into one module: in Node a process, in a browser a worker. A lane asks the server of scripts/golden for
 * one job after the other, and for the scenes' files, and tells it the hashes.
 */

/** One scene to be run; hashed after each of `steps`, or after every step by its parts where that is a `trace`. */
export interface Job {
  scene: string;
  backend: Backend;
  steps: number[];
  /** Threads of the world, if the job says how many: all of them then run before the first step. Otherwise 1: lanes and other tests use the cores. */
  threads?: number;
  trace?: boolean;
}

/** Of each of the steps: the hash of the world, or of each of its parts. */
export type Hashes = Record<number, string | Record<string, string>>;

async function run(origin: string, { scene, backend, steps, threads, trace }: Job): Promise<Hashes> {
  const read = async (path: string) => {
    const answer = await fetch(`${origin}/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const { world, cuts } = await buildWorld(await loadScene(`scenes/${scene}.json`, read), {
    backend,
    threads: threads ?? 1,
  });
  if (threads) await runAll(world, threads);
  const hashes: Hashes = {};
  const last = Math.max(...steps);
  for (let step = 1; step <= last; step++) {
    cuts.due();
    world.step();
    world.drainEvents();
    if (!trace && !steps.includes(step)) continue;
    const snapshot = world.snapshot();
    hashes[step] = trace ? partsOf(snapshot) : hashSnapshot(snapshot);
  }
  world.dispose();
  return hashes;
}

/** Waits for the threads of a world; a host without them is an error. */
async function runAll(world: World, threads: number): Promise<void> {
  await world.kernels.threads.ready();
  world.kernels.threads.begin(world.particleCount);
  if (world.threads !== threads) throw new Error(`the world has ${world.threads} threads; expected ${threads}`);
  world.kernels.threads.end();
}

/** The arrays of the state one by one, and what else a snapshot keeps. */
function partsOf({ arrays, byteLength, addedByteLength, ...rest }: Snapshot): Record<string, string> {
  const parts = { ...arrays, ...rest };
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, hashData(part, name)]));
}

async function post(address: string, body: unknown): Promise<unknown> {
  return (await fetch(address, { method: 'POST', body: JSON.stringify(body) })).json();
}

async function lane(origin: string): Promise<void> {
  for (;;) {
    const job = (await post(`${origin}/next`, {})) as Job | null;
    if (!job) return;
    const result = await run(origin, job).then(
      (hashes) => ({ hashes }),
      (error) => ({ error: String(error?.stack ?? error) }),
    );
    await post(`${origin}/done`, { job, ...result });
  }
}

const { location, process } = globalThis as { location?: { origin: string }; process?: { argv: string[] } };
void lane(location?.origin ?? process!.argv[2]);
