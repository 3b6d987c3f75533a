import { test } from 'vitest';
import { available, checkHost } from './check.js';

test.runIf(available('chromium'))('every gallery scene ends in the bits of hashes.json in Chromium', () =>
  checkHost('chromium'),
);
