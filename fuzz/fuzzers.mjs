import { backends } from './backends/backends.mjs';
import { commandLine } from './commandLine/commandLine.mjs';
import { files } from './files/files.mjs';
import { snapshots } from './snapshots/snapshots.mjs';
import { soak } from './soak/soak.mjs';
import { worlds } from './worlds/worlds.mjs';

/**
 * All fuzzers by name. `generate(random)` makes a case, plain data; `execute(case, { beat, at, say })` runs it in a child process and throws a Finding; `script(case, finding)` prints a script that does so again;
 * `mayChange(path)` says which parts of a case may be made smaller; `truncate(case, call)`, where there is one, leaves out what comes after a call; `shrinkRuns`, where there is one, is how many runs making one finding smaller may take.
 */
export const FUZZERS = { worlds, backends, snapshots, files, cli: commandLine, soak };
