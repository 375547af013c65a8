/** Creates tokens with the command, as a user does who deploys from elsewhere than this machine's dashboard. */
import type { Page } from '@playwright/test';
import { execa } from 'execa';
import { robotDaemonProgram } from '../daemon/testing/daemon/test-daemon.ts';
import { type Daemon, expect } from './fixtures.ts';

/** A new token that may deploy everywhere. */
export async function newDeployToken({ dataDir }: Daemon): Promise<string> {
  const { stdout } = await execa(process.execPath, [robotDaemonProgram, 'token', 'create', '--data-dir', dataDir]);
  const token = /^rd_\S+$/m.exec(stdout)?.[0];
  if (!token) throw new Error(`The command printed no token: ${stdout}`);
  return token;
}

/** Signs the page's browser in with the same request as its form. */
export async function signIn(page: Page, daemon: Daemon): Promise<void> {
  const reply = await page.request.put(`${daemon.url}/api/session`, { data: { token: await newDeployToken(daemon) } });
  expect(reply.status()).toBe(200);
}
