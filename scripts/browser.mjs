// Finds a Chromium on this machine, or installs Debian's where that is possible.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** WebGL2 and WebGPU without a graphics card. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--ignore-gpu-blocklist',
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--no-first-run',
];

/** Path of a Chromium, or undefined. PLIANT_BROWSER names one. */
export function findBrowser() {
  const { PLIANT_BROWSER, PATH = '' } = process.env;
  if (PLIANT_BROWSER) return PLIANT_BROWSER;
  const candidates = [...PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  return candidates.find((path) => existsSync(path));
}

/** Installs Chromium from Debian's packages when there is none and this is root; says what to do otherwise. */
export async function ensureBrowser() {
  if (findBrowser()) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.log('No Chromium here: installing the package of this system …');
    const apt = (...args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', 'chromium');
    if (findBrowser()) return;
  }
  console.warn('No Chromium found: the tests of the studio are skipped. Install one, or name it in PLIANT_BROWSER.');
}
