/** Signing in by the address that the daemon prints, and the protection of the session against other sites. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lineMatching } from '../daemon/testing/daemon/line-matching.ts';
import { startCli } from '../daemon/testing/daemon/run-cli.ts';
import { NO_HUB, newDataDir } from '../daemon/testing/daemon/test-daemon.ts';
import { expect, test } from './fixtures.ts';

/** Starts a daemon and reads the sign-in address that it prints. */
async function startAndRead(): Promise<{ address: string; stop: () => Promise<void> }> {
  const dataDir = await newDataDir();
  const daemon = startCli('--sim', '--no-wake-up-on-start', '--hub', NO_HUB, '--port', '0', '--data-dir', dataDir);
  const stop = async () => {
    daemon.process.kill('SIGINT');
    await daemon.ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const address = (await lineMatching(daemon.process.stdout, / at (http:\S+code=\S+)$/))?.[1];
  if (address) return { address, stop };
  throw new Error(`No address was printed: ${(await daemon.ended).text}`);
}

test('the printed address signs the browser in once, and pages of another host or port cannot use the session', async ({
  browser,
}) => {
  const { address, stop } = await startAndRead();
  const { origin } = new URL(address);
  const site = createServer((_request, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end('<!doctype html><html lang="en"><title>Stranger</title></html>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    expect(page.url()).toBe(`${origin}/`);
    const session = () => page.evaluate(async () => (await fetch('/api/session')).json());
    expect(await session()).toEqual({ signedIn: true, namespaces: null, namespace: 'local' });
    expect(await page.evaluate(() => document.cookie)).toBe('');

    const { port } = site.address() as AddressInfo;
    for (const name of ['127.0.0.1', 'evil.test']) {
      const strange = await context.newPage();
      await strange.goto(`http://${name}:${port}/`);
      const asked = await strange.evaluate(async (daemon) => {
        const ask = (method: string) =>
          fetch(`${daemon}/api/session`, { method, credentials: 'include' }).then(
            () => 'answered',
            () => 'refused',
          );
        return [await ask('GET'), await ask('DELETE')];
      }, origin);
      expect(asked).toEqual(['refused', 'refused']);
      expect(await session()).toMatchObject({ signedIn: true });
      await strange.close();
    }

    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(address);
    expect(late.url()).toBe(`${origin}/#/settings`);
    expect(await late.evaluate(async () => (await fetch('/api/session')).json())).toMatchObject({ signedIn: false });
    await Promise.all([context.close(), other.close()]);
  } finally {
    site.closeAllConnections();
    site.close();
    await stop();
  }
});
