/** For tests of the engine in TypeScript: frequency (Hz) of what `value()` tells after each step. */
export function frequency(world: { readonly dt: number; step(): void }, value: () => number): number;
