/**
 * Which of the bodies that a scene began with a body is or comes from, as a place in their list: pieces are named after the whole with a number, "loaf 2",
 * and so are copies, which are in the list themselves.
 */
export function originOf(name: string, origins: readonly string[]): number {
  let best = -1;
  origins.forEach((origin, k) => {
    const fits = name === origin || name.startsWith(`${origin} `);
    if (fits && (best < 0 || origin.length > origins[best].length)) best = k;
  });
  return Math.max(0, best);
}
