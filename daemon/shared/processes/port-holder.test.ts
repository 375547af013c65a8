import { once } from 'node:events';
import { createServer } from 'node:net';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { listeningSockets, portHolder } from './port-holder.ts';

test('a listening socket is found by its port, on any address and beside other sockets on the port', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 501 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F41 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 502 1 0000000000000000 100 0 0 10 0
   2: 0100007F:1F40 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 503 1 0000000000000000 20 4 30 10 -1
   3: 00000000000000000000000001000000:1F40 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 504 1 0000000000000000 100 0 0 10 0
`;
  expect(listeningSockets(table, 8000)).toEqual(['501', '504']);
  expect(listeningSockets(table, 80)).toEqual([]);
});

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
