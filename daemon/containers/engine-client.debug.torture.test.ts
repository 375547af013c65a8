import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const program = `
import { EngineClient } from ${JSON.stringify(join(import.meta.dirname, 'engine-client.ts'))};
import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../shared/clock.ts'))};
const client = new EngineClient(systemClock, { socketPath: process.argv[1] }, 'test engine');
await client.call(5_000, (docker) =>
  docker.createImage({ authconfig: { username: 'ada', password: 'not-for-logs' } }, { fromImage: 'a' }));
`;

test('DEBUG prints no account of a registry', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'engine-'));
  const socket = join(folder.path, 's');
  let account = '';
  const server = createServer(({ headers }, response) => {
    account = Buffer.from(String(headers['x-registry-auth']), 'base64url').toString();
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const { all } = await execa(process.execPath, ['--input-type=module', '--eval', program, socket], {
    ...{ env: { DEBUG: '*' }, all: true, timeout: 20_000 },
  });
  server.close();
  expect(account).toContain('not-for-logs');
  expect(all).not.toMatch(/X-Registry-Auth|not-for-logs/i);
});
