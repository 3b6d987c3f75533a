/** For tests of the engine in TypeScript: first stretching mode (Hz) of a free rod. */
export function stretchMode(rod: { rho: number; E: number; L: number }): number;
