import type { Chromium } from '../chromium/chromium.ts';

let running: Chromium | null = null;

export function setRunningChromium(chromium: Chromium): void {
  running = chromium;
}

/** @throws Error before the app is ready, when Electron refuses to make windows and sessions too */
export function runningChromium(): Chromium {
  if (!running) throw new Error('The app is not ready yet.');
  return running;
}
