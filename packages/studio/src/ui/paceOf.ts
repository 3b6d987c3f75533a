/** Share of its speed at which a simulation goes that is ahead of another by `lead` seconds: half at 0.1, next to nothing at 0.2. */
export const paceOf = (lead: number): number => Math.min(1, Math.max(0.05, 1 - 5 * lead));
