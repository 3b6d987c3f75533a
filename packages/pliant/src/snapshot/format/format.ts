export const FORMAT = 'pliant-snapshot-3';
