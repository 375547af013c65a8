import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { lineMatching } from '../daemon/testing/daemon/line-matching.ts';
import { projectDir } from './environment/project.ts';

test('npm run dev serves the page from its sources, on the origin of the daemon', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  const args = [join(projectDir, 'scripts', 'dev.ts'), '--port', '0', '--data-dir', dataDir, '--no-wake-up-on-start'];
  const dev = execa(process.execPath, args, { stderr: 'ignore', buffer: false, reject: false });
  onTestFinished(async () => {
    dev.kill('SIGINT');
    await dev;
    await rm(dataDir, { recursive: true, force: true });
  });
  const url = (await lineMatching(dev.stdout, / is at (http:\S+)\/$/))?.[1] ?? '';
  const page = await (await fetch(`${url}/`)).text();
  expect(page).toContain('src="/source/main.tsx"');
  expect(page).not.toContain('__CSP_NONCE__');
  const client = `/source/@fs${join(projectDir, 'daemon', 'client', 'daemon-client.ts')}`;
  for (const source of ['/source/main.tsx', '/source/api/daemon-events.ts', client, '/source/@vite/client']) {
    expect(await statusOf(url + source)).toBe(200);
  }
  expect(await statusOf(`${url}/api/daemon/status`)).toBe(200);
});

/** Of an answer that is read whole: one that is not holds its connection. */
async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.text();
  return answer.status;
}
