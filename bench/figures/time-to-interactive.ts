import type { Browser, Page } from '@playwright/test';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, row } from '../harness/figure.ts';
import { bareExpress, startAndWait } from '../harness/programs.ts';
import { alternate } from '../harness/samples.ts';

/** The time until the page is interactive. The page measures it, from the start of its navigation. */
export const timeToInteractive: Figure = {
  name: 'time-to-interactive',
  measures: 'Chromium, cold cache: from navigation to the frame with the heading, which waits for the first snapshot',
  beside: 'a bare page of one heading from a bare Express server, in the same browser',
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    await using daemon = await startBenchDaemon();
    const bare = await bareExpress();
    await using _server = await startAndWait(bare);
    const taken = await alternate(
      quick ? 2 : 25,
      () => usableMs(browser, daemon.url),
      () => usableMs(browser, bare.url),
    );
    return [row('time-to-interactive', 'ms', taken)];
  },
};

/** Each context starts with empty caches. */
async function usableMs(browser: Browser, url: string): Promise<number> {
  await using context = await browser.newContext();
  return await usableIn(await context.newPage(), url);
}

/** Opens a page. @returns the time from its navigation until it can be used, in ms, as it measures it */
export async function usableIn(page: Page, url: string): Promise<number> {
  const usable = Promise.withResolvers<number>();
  await page.exposeFunction('reportUsable', usable.resolve);
  await page.addInitScript(reportWhenUsable);
  const late = setTimeout(() => usable.reject(new Error(`${url} was not usable within 30 s.`)), 30_000);
  await page.goto(url, { waitUntil: 'commit' });
  return await usable.promise.finally(() => clearTimeout(late));
}

/** Runs in the page, before the page's scripts. */
function reportWhenUsable(): void {
  const observer = new MutationObserver(() => {
    const connecting = document.querySelector('footer')?.textContent?.includes('Connecting') ?? false;
    if (connecting || !document.querySelector('h1')?.checkVisibility()) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () =>
        (globalThis as unknown as { reportUsable(ms: number): void }).reportUsable(performance.now());
      painted.port2.postMessage(null); // a new task runs after the frame
    });
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}
