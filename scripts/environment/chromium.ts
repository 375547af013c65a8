import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { installOnBuildMachine } from './debian-packages.ts';

/** Chromium without windows, Playwright's default where it downloads one: a page takes half the CPU time in it. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds or installs a browser for tests: CHROMIUM_PATH, the system's, on a build machine the system's package, else
 * Playwright's own.
 * @returns its path; null for Playwright's own
 * @throws Error with an action when no browser is available
 */
export async function prepareChromium(): Promise<string | null> {
  const found = findChromium();
  if (found) {
    console.log(`Browser: ${found}`);
    return found;
  }
  if (await installOnBuildMachine('chromium', 'fonts-liberation')) return findChromium();
  console.log("Browser: none found, downloading Playwright's own");
  try {
    execaSync('playwright', ['install', 'chromium'], { stdio: 'inherit', timeout: 300_000 });
    return null;
  } catch {
    throw new Error('The tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH, and run them again.');
  }
}

/** Finds or installs a browser for tests without a window: CHROMIUM_PATH, a headless shell, else as `prepareChromium` does. */
export async function prepareHeadlessChromium(): Promise<string | null> {
  const shell = process.env['CHROMIUM_PATH'] ? null : (onPath([HEADLESS_SHELL])[0] ?? null);
  if (!shell) return prepareChromium();
  console.log(`Browser: ${shell}`);
  return shell;
}

function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  return given ? given : ([...onPath(names), ...elsewhere.filter((path) => existsSync(path))][0] ?? null);
}

/** The programs of these names, in the order of the folders of PATH. */
function onPath(programs: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => programs.map((program) => join(folder, program)))
    .filter((path) => existsSync(path));
}
