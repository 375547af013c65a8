/** A daemon of a terminal is killed while models run, one of each kind of program. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Hardware } from '../contract/compute/hardware.ts';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { startTimeOf } from '../shared/processes/process-identity.ts';
import { signalProcess } from '../shared/processes/processes.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../testing/containers/engine-images.ts';
import { requestOn, withoutModel } from '../testing/endpoints/containers-daemon.ts';
import { ownFileRequest } from '../testing/endpoints/own-file-endpoint.ts';
import { DaemonToKill } from '../testing/kills/daemon-to-kill.ts';
import { llamaServerForTests, NO_LLAMA_SERVER } from '../testing/models/llama-server-program.ts';
import { writeTinyGguf } from '../testing/models/tiny-gguf.ts';

/** A container starts in this time, on a machine that is busy with other tests. */
const START_MS = 60_000;
const engine = await containerEngineForTests();
afterAll(() => engine?.[Symbol.asyncDispose]());
const llamaServer = await llamaServerForTests();
const lack = engine === null ? NO_CONTAINER_ENGINE : llamaServer === null ? NO_LLAMA_SERVER : null;

describe.skipIf(lack !== null)(lack === null ? 'a daemon that is killed' : `SKIPPED: ${lack}`, () => {
  /** A container of somebody else. */
  let foreign: string;
  const podman = async (...args: string[]) => (await engine?.podman(...args)) as string;
  const containers = async () =>
    (await podman('ps', '--all', '--quiet', '--no-trunc')).split('\n').filter((id) => id !== '' && id !== foreign);

  beforeAll(async () => {
    foreign = await podman('run', '--detach', engineImage('custom'));
  });

  /** The bundled runner first: llama-server is preferred once it is there. */
  async function withModels() {
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = join(folder, 'llama-server');
    const daemon = await DaemonToKill.begin(['--container-engine', engine?.socket ?? '', '--llama-server', program]);
    onTestFinished(() => daemon[Symbol.asyncDispose]());
    const hardware = (await (await daemon.ask('GET', '/v2/provider/lab')).json()) as Hardware;
    const modelPath = writeTinyGguf(join(daemon.dataDir, 'tiny.gguf'));
    const running = async (name: string, request: EndpointRequest) => {
      expect((await daemon.ask('POST', '/v2/endpoint/lab', request)).status).toBe(200);
      const endpoint = daemon.endpoint(name);
      await endpoint.until('running', START_MS);
      const { runtime, replicas } = (await endpoint.own()).report;
      return { runtime, ...replicas[0] };
    };
    const bundled = await running('bundled', ownFileRequest('bundled', modelPath, hardware));
    const withoutGuardian = await daemon.guardians();
    await writeFile(program, `#!/bin/sh\nexec "${llamaServer}" "$@"\n`, { mode: 0o755 });
    expect((await daemon.ask('POST', '/api/runtimes/refresh')).status).toBe(200);
    const server = await running('server', ownFileRequest('server', modelPath, hardware));
    const image = { custom: { url: engineImage('custom'), port: 8_000 } };
    const env = { PORT: '8000', TEST_BEHAVIOUR: JSON.stringify({ isStubborn: true }) };
    const contained = await running('contained', requestOn(hardware, 'contained', { image, env }, withoutModel));
    return { daemon, bundled, server, contained, withoutGuardian };
  }

  test('leaves none of its models: the bundled runner ends by itself, its guardian ends llama-server and the container', async () => {
    const { daemon, bundled, server, contained, withoutGuardian } = await withModels();
    expect([bundled.runtime, server.runtime, contained.runtime]).toEqual([
      expect.stringMatching(/^bundled/),
      expect.stringMatching(/^llama-server/),
      expect.stringMatching(/^Podman/),
    ]);
    expect(withoutGuardian).toEqual([]);
    expect(await daemon.guardians()).toHaveLength(1);
    expect(await daemon.children()).toEqual(expect.arrayContaining([bundled.pid, server.pid]));
    expect(await containers()).toEqual([contained.container]);

    const startMs = performance.now();
    await daemon.kill();
    console.log(`killed models: the guardian was done after ${Math.round(performance.now() - startMs)} ms`);
    expect(await daemon.children()).toEqual([]);
    expect(await containers()).toEqual([]);
    expect(await podman('inspect', '--format', '{{.State.Running}}', foreign)).toBe('true');
  });

  test('without a guardian leaves them to the next daemon, whose stop in order is no business of its guardian', async () => {
    const { daemon, server } = await withModels();
    await daemon.killWithGuardian();
    expect(await daemon.children()).toContain(server.pid);
    expect(await containers()).toHaveLength(1);
    const left = await containers();
    await daemon.next();
    expect(await daemon.children()).not.toContain(server.pid);
    await expect.poll(async () => (await containers()).filter((id) => left.includes(id))).toEqual([]);

    expect((await daemon.endpoint('server').chat()).status).toBe(200);
    const [guardian] = await daemon.guardians();
    const { code, said } = await daemon.stop();
    expect([code, said.includes('guardian: ready'), said.includes('did not end in order')]).toEqual([0, true, false]);
    expect(await startTimeOf(guardian as number)).toBeNull();
    expect([await daemon.children(), await containers()]).toEqual([[], []]);
  });

  test('has another guardian soon after one that was killed alone, and its models go on', async () => {
    const { daemon, server } = await withModels();
    const [first] = await daemon.guardians();
    signalProcess(first as number, 'SIGKILL');
    await expect.poll(() => daemon.guardians()).toEqual([expect.not.closeTo(first as number)]);
    expect((await daemon.endpoint('server').chat()).status).toBe(200);
    expect(await daemon.children()).toContain(server.pid);
    await daemon.kill();
    expect(await daemon.children()).toEqual([]);
    expect(await containers()).toEqual([]);
  });
});
