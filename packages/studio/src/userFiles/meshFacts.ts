/** What has to be known of a mesh before it can be placed: plain data, from a worker. */
export interface MeshFacts {
  min: [number, number, number];
  max: [number, number, number];
  triangles: number;
  /** What a person may want to know, in sentences. */
  warnings: string[];
}

export type MeshAnswer = { facts: MeshFacts } | { problem: string };

/** Reads a mesh in a worker of its own, which ends with it: large files take seconds. */
export function inspectMesh(name: string, bytes: Uint8Array): Promise<MeshFacts> {
  const worker = new Worker(new URL('./inspectWorker.ts', import.meta.url), { type: 'module', name: 'mesh' });
  return new Promise<MeshFacts>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<MeshAnswer>) =>
      'facts' in data ? resolve(data.facts) : reject(new Error(data.problem));
    worker.onerror = ({ message }) => reject(new Error(`${name} could not be read: ${message}.`));
    worker.postMessage({ name, bytes });
  }).finally(() => worker.terminate());
}
