import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../testing/containers/engine-images.ts';
import { ContainerRegister } from '../running/container-register.ts';
import { ContainerEngineFinder } from './container-engine-finder.ts';

const podman = await containerEngineForTests();
afterAll(() => podman?.[Symbol.asyncDispose]());

describe.skipIf(podman === null)(podman ? 'on a real engine' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  test('a container that somebody pauses has ended, and is removed', async () => {
    const data = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-paused-'));
    onTestFinished(() => data.remove());
    const log = createLogger('error');
    const register = new ContainerRegister({ file: join(data.path, 'c.json'), dataDir: data.path, log });
    const surroundings = { platform: 'linux', home: '/', temporary: '/', uid: 0, environment: {} } as const;
    const setting = podman?.socket ?? '';
    const finder = new ContainerEngineFinder({ setting, surroundings, register, clock: systemClock, log });
    const container = await (await finder.find())?.run({
      ...{ image: engineImage('custom'), command: null, args: [], environment: {}, port: 80, mounts: [] },
      ...{ memoryBytes: null, cpus: null, gpus: 'none', devices: [], sharedMemoryBytes: null, bindsLowPort: true },
      ...{ owner: { endpoint: 'lab/paused', replica: 'a' }, onLine: () => {} },
    });
    await expect // an engine of a busy machine takes longer than the second for which it is waited
      .poll(() => container?.usage())
      .toEqual({ memoryBytes: expect.any(Number), cpuSeconds: expect.any(Number) });
    await podman?.podman('pause', container?.id ?? '');
    await container?.ended;
    expect(await container?.exited).toEqual({ code: null, how: 'paused', isOutOfMemory: false });
    await container?.stop(1_000);
    const labelled = 'label=org.robot-desktop.endpoint=lab/paused';
    expect(await podman?.podman('ps', '--all', '--quiet', '--filter', labelled)).toBe('');
  });
});
