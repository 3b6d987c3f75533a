import { test } from 'vitest';
import { available, checkHost } from './check.js';

test.runIf(available('chromium'))('the gallery scenes have the bits of hashes.json in Chromium', () =>
  checkHost('chromium'),
);
