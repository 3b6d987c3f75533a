import { test } from 'vitest';
import { checkHost } from './check.js';

test('every gallery scene ends in the bits of hashes.json in Node', () => checkHost('node'));
