export const FORMAT = 'pliant-snapshot-4';
