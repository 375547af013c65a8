import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { projectDir } from './project.ts';

test('npm run dev serves the page from its sources, on the origin of the daemon', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  const args = [join(projectDir, 'scripts', 'dev.ts'), '--port', '0', '--data-dir', dataDir, '--no-wake-up-on-start'];
  const dev = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(async () => {
    dev.kill('SIGINT');
    await once(dev, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  });
  let url = '';
  for await (const line of createInterface({ input: dev.stdout })) {
    url = / is at (http:\S+)\/$/.exec(line)?.[1] ?? '';
    if (url) break;
  }
  dev.stdout.resume();
  const page = await (await fetch(`${url}/`)).text();
  expect(page).toContain('src="/source/main.tsx"');
  expect(page).not.toContain('__CSP_NONCE__');
  const client = `/source/@fs${join(projectDir, 'daemon', 'client', 'daemon-client.ts')}`;
  for (const source of ['/source/main.tsx', '/source/api/daemon-events.ts', client, '/source/@vite/client']) {
    expect((await fetch(url + source)).status).toBe(200);
  }
  expect((await fetch(`${url}/api/daemon/status`)).status).toBe(200);
});
