/**
 * Place in the list of the scene's initial bodies of the one that a body is or comes from. Pieces have the name of the
 * whole with a number, "loaf 2". So have copies, which are in the list themselves.
 */
export function originOf(name: string, origins: readonly string[]): number {
  let best = -1;
  origins.forEach((origin, k) => {
    const fits = name === origin || name.startsWith(`${origin} `);
    if (fits && (best < 0 || origin.length > origins[best].length)) best = k;
  });
  return Math.max(0, best);
}
