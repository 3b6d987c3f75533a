/** A node of a syntax tree as `parseSync` of vite gives it. */
export interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Name of an identifier; undefined for all else. */
export const nameOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === 'Identifier' ? (value.name as string) : undefined;

/** A node and all that it consists of, in the order of the source. */
export function nodesOf(value: unknown, into: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const part of value) nodesOf(part, into);
  else if (isNode(value)) {
    into.push(value);
    for (const part of Object.values(value)) nodesOf(part, into);
  }
  return into;
}
