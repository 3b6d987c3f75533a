import type { Read } from '../readFile.js';

/** A disk in memory: files by path, as text, bytes, or anything else as JSON. */
export function memory(files: Record<string, unknown>): Read {
  return async (path) => {
    const content = files[path];
    if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    if (content instanceof Uint8Array) return content;
    return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  };
}

/** A scene of one small box, with changes to it and to its body. */
export const boxScene = (scene: object = {}, body: object = {}): object => ({
  bodies: [{ geometry: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', count: 64 }, ...body }],
  ...scene,
});

/** Positions of an n × n × n grid of the given spacing around the origin, as the text of a particle file. */
export function gridFile(n: number, spacing: number): string {
  const lines: string[] = [];
  const at = (k: number) => (k - (n - 1) / 2) * spacing;
  for (let i = 0; i < n ** 3; i++) lines.push(`${at(i % n)} ${at(Math.floor(i / n) % n)} ${at(Math.floor(i / n / n))}`);
  return lines.join('\n');
}
