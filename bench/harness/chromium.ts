import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import playwrightConfig from '../../playwright.config.ts';
import { registerCleanup } from './cleanup.ts';
import { NotMeasurable } from './figure.ts';

const launchOptions = playwrightConfig.use?.launchOptions ?? {};
export const chromiumProgram = launchOptions.executablePath ?? chromium.executablePath();

/** The browser of the journeys, with their options. @throws NotMeasurable when there is none */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(chromiumProgram)) {
    throw new NotMeasurable(`No Chromium at ${chromiumProgram}. Install one, or set CHROMIUM_PATH.`);
  }
  const browser = await chromium.launch({ ...launchOptions, handleSIGINT: false, handleSIGTERM: false });
  const { [Symbol.asyncDispose]: close } = registerCleanup(() => browser.close());
  browser.on('disconnected', () => void close());
  return browser;
}
