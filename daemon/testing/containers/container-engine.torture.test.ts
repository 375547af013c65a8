import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { listProcesses } from '../../shared/processes/processes.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from './container-engine-for-tests.ts';
import { engineImage } from './engine-images.ts';
import { startTestRegistry } from './test-registry.ts';

const account = { username: 'ada', password: 'a secret' };
const registry = await startTestRegistry(account);
/** A crash of the tests takes seconds to try: in `npm run torture` alone. */
const isTorture = Boolean(process.env['TORTURE_CONTAINERS']);
const engine = await containerEngineForTests({ registries: [registry.host] });
afterAll(async () => {
  await engine?.[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

describe.skipIf(engine === null)(engine ? 'on a real engine' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  const podman = async (...args: string[]) => (await engine?.podman(...args)) as string;
  const credentials = ['--creds', `${account.username}:${account.password}`];

  test('an image of the tests answers like its engine, and tells how it was started', async () => {
    const limits = ['--memory', '256m', '--cpus', '1.5', '--shm-size', '32m', '--cap-drop', 'ALL'];
    const given = ['--env', 'GREETING=hello', '--volume', `${import.meta.dirname}:/data:ro`];
    const options = [...limits, ...given, '--security-opt', 'no-new-privileges', '--publish', '127.0.0.1::8000'];
    const id = await podman('run', '--detach', ...options, engineImage('vLLM'), '/data/m', '--port', '8000');
    const url = `http://${await podman('port', id, '8000')}`;
    const ask = (path: string) => fetch(url + path).then((answer) => answer.json());

    await expect
      .poll(() => ask('/--reported').catch(() => null))
      .toMatchObject({
        engine: 'vLLM',
        argv: ['/usr/local/bin/vllm', 'serve', '/data/m', '--port', '8000'],
        env: { GREETING: 'hello' },
        ...{ uid: 0, capabilities: '0', noNewPrivileges: true },
        mounts: [{ to: '/data', isReadOnly: true }],
        ...{ memoryBytes: 2 ** 28, cpus: 1.5, sharedMemoryBytes: 2 ** 25 },
      });
    expect(await ask('/v1/models')).toEqual({ object: 'list', data: [{ id: 'm', object: 'model' }] });
  });

  test('a registry of the tests gives images to those who sign in', async () => {
    const image = registry.image('tei');
    await expect(podman('pull', image)).rejects.toThrow('unauthorized');
    await podman('pull', ...credentials, image);
    await expect(podman('pull', ...credentials, `${registry.host}/tests/other:1`)).rejects.toThrow('manifest unknown');
    registry.misbehaviour = { status: 500 };
    await expect(podman('pull', ...credentials, registry.image('tgi'))).rejects.toThrow('500');
    registry.misbehaviour = null;
    expect(registry.randomLayersSent).toBe(1);
    expect(await podman('run', '--rm', '--env', 'TEST_BEHAVIOUR={"exitCode":0}', image)).toContain(
      'tei is about to serve',
    );
  });

  test.runIf(isTorture)('nothing of it is left after its tests were killed', async () => {
    const program = [
      `import { startContainerEngine } from ${JSON.stringify(join(import.meta.dirname, 'container-engine.ts'))};`,
      'const engine = await startContainerEngine();',
      `await engine.podman('run', '--detach', ${JSON.stringify(engineImage('custom'))});`,
      'console.log(engine.socket);',
      "process.kill(process.pid, 'SIGKILL');",
    ];
    const { stdout } = await execa('node', ['--input-type=module', '--eval', program.join('\n')], { reject: false });
    const folder = dirname(stdout);
    expect(folder).toContain('podman-');
    await expect.poll(() => existsSync(folder)).toBe(false);
    expect(await commandLinesWith(folder)).toEqual([]);
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(folder);
  });
});

async function commandLinesWith(text: string): Promise<string[]> {
  const files = (await listProcesses()).map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(files)).filter((line) => line.includes(text));
}
