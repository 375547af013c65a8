/** The one Chromium of this process, for everybody who needs it. */
import { Chromium } from './chromium.ts';
import type { ChromiumSwitches } from './chromium-arguments.ts';

let running: Promise<Chromium> | null = null;

export function startBrowser(switches: ChromiumSwitches): Promise<Chromium> {
  running ??= Chromium.start(switches);
  return running;
}

/** @throws Error before the app is ready */
export function runningBrowser(): Promise<Chromium> {
  return running ?? Promise.reject(new Error('There is no browser before the app is ready.'));
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close();
}
