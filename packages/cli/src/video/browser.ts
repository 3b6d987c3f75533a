import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PliantError } from 'pliant';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** WebGL 2 also without a graphics card; pages of ours only. */
const FLAGS = [
  '--no-sandbox',
  '--ignore-gpu-blocklist',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--no-first-run',
];

/** Path of a Chromium, or undefined. PLIANT_BROWSER names one. */
function findBrowser(): string | undefined {
  const { PLIANT_BROWSER, PATH = '' } = process.env;
  if (PLIANT_BROWSER !== undefined) return existsSync(PLIANT_BROWSER) ? PLIANT_BROWSER : undefined;
  const candidates = [...PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  return candidates.find((path) => existsSync(path));
}

/** Starts a Chromium without a window. @throws PliantError that says what is missing. */
export async function launchBrowser(what: string): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath)
    throw new PliantError(
      '--out',
      `--out: ${what} is drawn in a Chromium, and none is found; expected one on the PATH, or its path in PLIANT_BROWSER. FILE.html and pliant bake need none.`,
    );
  const playwright = await import('playwright-core').catch(() => undefined);
  if (!playwright)
    throw new PliantError(
      '--out',
      `--out: ${what} needs the package playwright-core; expected it beside @pliant/cli: npm install playwright-core.`,
    );
  try {
    return await playwright.chromium.launch({ executablePath, args: FLAGS });
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new PliantError('--out', `--out: ${executablePath} does not start (${reason}); expected a Chromium.`);
  }
}
