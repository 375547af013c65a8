import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { installOnBuildMachine } from './debian-packages.ts';

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
export function prepareChromium(): string | null {
  const found = findChromium();
  if (found) {
    console.log(`Browser: ${found}`);
    return found;
  }
  if (installOnBuildMachine('chromium', 'fonts-liberation')) return findChromium();
  console.log("Browser: none found, downloading Playwright's own");
  try {
    execaSync('playwright', ['install', 'chromium'], { stdio: 'inherit', timeout: 300_000 });
    return null;
  } catch {
    throw new Error('The tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH, and run them again.');
  }
}

function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere];
  return candidates.find((path) => existsSync(path)) ?? null;
}
