import type { Page } from '@playwright/test';
import { execa } from 'execa';
import { type Figure, NotMeasurable, row } from '../../harness/figure.ts';
import { alternate } from '../../harness/samples.ts';
import { openEndpointPage } from './endpoint-page.ts';

const AIM_MS = 50;

/** The time until a person sees that the model answers. */
export const playgroundFirstToken: Figure = {
  name: 'playground-first-token',
  measures: 'Chromium, the page of an endpoint: from the key that sends a message to the first token in the page',
  beside: 'the same request by curl, from its start to the first byte of the answer',
  measure: async ({ quick }) => {
    const curl = await execa('curl', ['--version'], { reject: false });
    if (curl.failed) throw new NotMeasurable('There is no curl.');
    await using bench = await openEndpointPage('try');
    const { page, endpointUrl } = bench;
    await page.getByRole('textbox', { name: 'Message' }).focus();
    const taken = await alternate(
      quick ? 2 : 100,
      () => inPageMs(page),
      () => byCurlMs(`${endpointUrl}/v1/chat/completions`),
    );
    return [
      row('playground-first-token', 'ms', taken, ({ median }) => ({
        text: `${AIM_MS} ms more than by curl`,
        most: median + AIM_MS,
      })),
    ];
  },
};

async function inPageMs(page: Page): Promise<number> {
  await page.keyboard.insertText('Hello?');
  await page.evaluate(watchNextKey);
  await page.keyboard.press('Enter');
  const tookMs = await page.evaluate(() => (globalThis as unknown as { firstToken: Promise<number> }).firstToken);
  await page.getByRole('button', { name: 'Send' }).waitFor();
  return tookMs;
}

/** Runs in the page: measures the time from the next key to the text of one more answer. */
function watchNextKey(): void {
  const answers = () => document.querySelectorAll('.chat-assistant .chat-text').length;
  const before = answers();
  const firstToken = new Promise<number>((resolve) => {
    const onKey = () => {
      const pressedMs = performance.now();
      const observer = new MutationObserver(() => {
        if (answers() === before) return;
        observer.disconnect();
        resolve(performance.now() - pressedMs);
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    };
    document.addEventListener('keydown', onKey, { once: true, capture: true });
  });
  Object.assign(globalThis, { firstToken });
}

async function byCurlMs(url: string): Promise<number> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello?' }], stream: true });
  const options = ['-s', '-N', '-o', '/dev/null', '-w', '%{time_starttransfer}'];
  const { stdout } = await execa('curl', [...options, '-H', 'Content-Type: application/json', '-d', body, url]);
  return Number(stdout) * 1_000;
}
