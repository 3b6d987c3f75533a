export const FORMAT = 'pliant-snapshot-5';
