export const FORMAT = 'pliant-snapshot-2';
