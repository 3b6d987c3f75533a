export const FORMAT = 'pliant-snapshot-7';
