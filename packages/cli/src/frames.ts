/** The frames whose state goes into the statistics: 0, 10, 20, 50, 100, 150, 200, then every 100. */
export const isStatsFrame = (frame: number): boolean =>
  frame <= 200 ? [0, 10, 20, 50, 100, 150, 200].includes(frame) : frame % 100 === 0;
