#!/usr/bin/env node
import { main } from '../dist/main.js';

const code = await main(process.argv);
// A stream may have failed meanwhile, and have said so.
process.exitCode ||= code;
