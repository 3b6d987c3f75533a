/** Properties of a mesh that are needed to place it: plain data from a worker. */
export interface MeshFacts {
  min: [number, number, number];
  max: [number, number, number];
  triangles: number;
  /** Remarks for the user, in sentences. */
  warnings: string[];
}

export type MeshAnswer = { facts: MeshFacts } | { problem: string };

/** Reads a mesh in a separate worker that ends afterwards: large files take seconds. */
export function inspectMesh(name: string, bytes: Uint8Array): Promise<MeshFacts> {
  const worker = new Worker(new URL('./inspectWorker.ts', import.meta.url), { type: 'module', name: 'mesh' });
  return new Promise<MeshFacts>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<MeshAnswer>) =>
      'facts' in data ? resolve(data.facts) : reject(new Error(data.problem));
    worker.onerror = ({ message }) => reject(new Error(`${name} could not be read: ${message}.`));
    worker.postMessage({ name, bytes });
  }).finally(() => worker.terminate());
}
