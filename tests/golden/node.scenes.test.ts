import { test } from 'vitest';
import { checkHost } from './check.js';

test('the gallery scenes have the bits of hashes.json in Node', () => checkHost('node'));
