/** The doctor beside a daemon with a real proxy in front. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { CHILD_MARK_VARIABLE, childMark } from '../shared/processes/child-environment.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { lineMatching } from '../testing/daemon/line-matching.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';

const proxySource = `
const { connect, createServer } = require('node:net');
const [target, host] = process.argv.slice(1);
const server = createServer((socket) => {
  const onward = connect(Number(target), '127.0.0.1');
  for (const each of [socket, onward]) each.on('error', () => {});
  socket.pipe(onward).pipe(socket);
}).listen(0, host, () => console.log('listens at ' + server.address().port));
`;

/** Starts a proxy that adds no header, and has a request under way through it. @returns its process id */
async function proxied(url: string, host: string, env: Record<string, string> = {}): Promise<number | undefined> {
  const { port } = new URL(url);
  const options = { env, buffer: false, reject: false, stdin: 'ignore' } as const;
  const proxy = execa(process.execPath, ['-e', proxySource, port, host], options);
  onTestFinished(async () => {
    proxy.kill('SIGKILL');
    await proxy;
  });
  const own = (await lineMatching(proxy.stdout, /listens at (\d+)$/))?.[1];
  const client = connect(Number(own), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.on('error', () => {});
  client.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(client, 'data');
  return proxy.pid;
}

async function daemonWith(...options: string[]) {
  const dataDir = await newDataDir();
  const daemon = await startDaemonProcess(dataDir, options);
  onTestFinished(async () => {
    await daemon.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const found = async () => {
    const { findings } = JSON.parse((await runCli('doctor', '--json', '--data-dir', dataDir)).out);
    return findings.filter(({ code }: { code: string }) => code === 'proxy-without-token');
  };
  return { dataDir, url: daemon.url, found };
}

// Other systems do not tell whose a connection is.
test.skipIf(process.platform !== 'linux')(
  'the doctor names a proxy in front of a daemon that requires no token',
  async () => {
    const { dataDir, url, found } = await daemonWith();
    await proxied(url, '127.0.0.1'); // no other machine reaches it
    await proxied(url, '0.0.0.0', { [CHILD_MARK_VARIABLE]: await childMark(dataDir) }); // an app
    expect(await found()).toEqual([]);
    const pid = await proxied(url, '0.0.0.0');
    expect(await found()).toEqual([
      {
        code: 'proxy-without-token',
        severity: 'note',
        what: expect.stringMatching(
          /^node is connected to the daemon .* counts as this machine, and may install an app\.$/,
        ),
        where: `process ${pid}`,
        fix: { kind: 'by-hand', how: expect.stringMatching(/--require-token.*--behind-proxy/) },
      },
    ]);
  },
);

test.skipIf(process.platform !== 'linux').each([['--require-token'], ['--behind-proxy', '127.0.0.1']])(
  'with %s there is nothing to say',
  async (...options) => {
    const { url, found } = await daemonWith(...options);
    await proxied(url, '0.0.0.0');
    expect(await found()).toEqual([]);
  },
);
