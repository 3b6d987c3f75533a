import { test } from 'vitest';
import { available, checkHost, PATIENCE } from './check.js';

const there = available('chromium');
if (!there) console.log('Golden hashes: not checked in Chromium, there is none on this machine.');

test.runIf(there)('every gallery scene ends in the bits of hashes.json in Chromium', PATIENCE, () =>
  checkHost('chromium'),
);
