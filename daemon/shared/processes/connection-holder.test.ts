import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { connectionHolder, type LocalConnection, listedHolder } from './port-holder.ts';

/** A Python process that connects to a server of this one, and the connection as the server sees it. */
async function connectedProcess(host: string): Promise<{ pid: number; connection: LocalConnection }> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const source = `import socket, time\ns = socket.create_connection(("${host}", ${port}))\ntime.sleep(60)`;
  const child = execa('python3', ['-c', source], { stderr: 'inherit', reject: false });
  onTestFinished(() => void child.kill('SIGKILL'));
  onTestFinished(() => void server.close());
  const [accepted] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void accepted.destroy());
  const { localPort = 0, remotePort = 0 } = accepted;
  return { pid: child.pid as number, connection: { localPort, remotePort } };
}

test.skipIf(process.platform === 'win32').each(['127.0.0.1', '::1'])(
  'a process has its own connection, and no other process has it (%s)',
  async (host) => {
    const { pid, connection } = await connectedProcess(host);
    expect(await connectionHolder([1, pid], connection)).toBe(pid);
    expect(await connectionHolder([], connection)).toBeNull();
    // The process of the test has the accepting end only.
    expect(await connectionHolder([process.pid], connection)).toBeNull();
    expect(await connectionHolder([pid], { ...connection, remotePort: connection.remotePort ^ 1 })).toBeNull();
  },
);

test('the holder of a connection is found in the list of lsof by both of its ports', () => {
  const listed = 'p123\nf5\nn127.0.0.1:50000->127.0.0.1:8000\np124\nf6\nn[::1]:50001->[::1]:8000\nf7\nn*:50002\n';
  expect(listedHolder(listed, { localPort: 8000, remotePort: 50_000 })).toBe(123);
  expect(listedHolder(listed, { localPort: 8000, remotePort: 50_001 })).toBe(124);
  expect(listedHolder(listed, { localPort: 8001, remotePort: 50_000 })).toBeNull();
  expect(listedHolder(listed, { localPort: 8000, remotePort: 50_002 })).toBeNull();
  expect(listedHolder('', { localPort: 8000, remotePort: 50_000 })).toBeNull();
});
