export const FORMAT = 'pliant-snapshot-6';
