#!/usr/bin/env node
import { create } from './create.mjs';

process.exitCode = await create(process.argv.slice(2));
