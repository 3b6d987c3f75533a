export const FORMAT = 'pliant-snapshot-8';
