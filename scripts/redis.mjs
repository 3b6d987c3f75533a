// Finds Debian's redis-server on this machine, or installs it where that is possible: tests of sweeps over several machines start one of their own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a redis-server, or undefined. PLIANT_REDIS_SERVER names one. */
export function findRedis() {
  const { PLIANT_REDIS_SERVER, PATH = '' } = process.env;
  if (PLIANT_REDIS_SERVER) return PLIANT_REDIS_SERVER;
  return PATH.split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => existsSync(path));
}

/** Installs redis-server from Debian's packages when there is none and this is root; says what to do otherwise. */
export function ensureRedis() {
  if (findRedis()) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.log('No redis-server here: installing the package of this system …');
    const apt = (...args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        // Its service is not wanted: tests start a server of their own, on a free port.
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      });
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', 'redis-server');
    if (findRedis()) return;
  }
  console.warn(
    'No redis-server found: tests of sweeps over machines are skipped. Install one, or name it in PLIANT_REDIS_SERVER.',
  );
}
