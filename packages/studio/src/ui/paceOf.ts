/** Factor on the speed of a simulation that is ahead of another by `lead` seconds: half at 0.1, almost 0 at 0.2. */
export const paceOf = (lead: number): number => Math.min(1, Math.max(0.05, 1 - 5 * lead));
