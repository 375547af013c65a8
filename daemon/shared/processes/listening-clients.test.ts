import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listeningClients } from './port-holder.ts';

async function serverAt(host: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function connected(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
}

// Other systems have no /proc.
test.skipIf(process.platform !== 'linux')(
  'a process that connects to a port and listens for other machines is found, one of the exceptions is not',
  async () => {
    const port = await serverAt('127.0.0.1');
    const find = async (except: number[] = []) =>
      (await listeningClients(port, new Set(except))).filter(({ pid }) => pid === process.pid);
    expect(await find()).toEqual([]);
    await connected(port);
    await serverAt('127.0.0.1');
    expect(await find()).toEqual([]);
    await serverAt('0.0.0.0');
    expect(await find()).toEqual([{ pid: process.pid, name: 'node' }]);
    expect(await find([process.pid])).toEqual([]);
  },
);
