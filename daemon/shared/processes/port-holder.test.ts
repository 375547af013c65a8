import { once } from 'node:events';
import { createServer } from 'node:net';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { portHolder } from './port-holder.ts';

test.skipIf(process.platform === 'win32')('names the process that listens on a port', async () => {
  const source =
    'import socket, time\ns = socket.create_server(("127.0.0.1", 0))\nprint(s.getsockname()[1], flush=True)\ntime.sleep(60)';
  const child = execa('python3', ['-c', source], { stderr: 'inherit', reject: false });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(await portHolder(Number(line))).toEqual({ pid: child.pid, name: expect.stringMatching(/^[Pp]ython/) });
});

test('a port without a listener has no holder', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  expect(await portHolder(port)).toBeNull();
});
