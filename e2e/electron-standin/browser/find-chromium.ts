import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @throws Error with what to do when there is none */
export function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (!found) throw new Error('The Electron stand-in needs Chromium. Install it, or name it in CHROMIUM_PATH.');
  return found;
}
