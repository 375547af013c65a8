/** The life of an endpoint in a container, on a real engine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { EndpointDetail } from '../../contract/endpoints/endpoint.ts';
import type { EndpointLog } from '../../contract/endpoints/endpoint-log.ts';
import { containerEngineForTests, NO_CONTAINER_ENGINE } from '../../testing/containers/container-engine-for-tests.ts';
import { engineImage } from '../../testing/containers/engine-images.ts';
import { startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { ownFileRequest } from '../../testing/endpoints/own-file-endpoint.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

/** Cases that other tests nearly cover are tried in `npm run torture` alone. */
const isTorture = Boolean(process.env['TORTURE_CONTAINERS']);
/** A container starts in this time, on a machine that is busy with other tests. */
const START_MS = 60_000;
const engine = await containerEngineForTests();
afterAll(() => engine?.[Symbol.asyncDispose]());

describe.skipIf(engine === null)(engine ? 'in a container' : `SKIPPED: ${NO_CONTAINER_ENGINE}`, () => {
  let dataDir: string;
  let checked: Awaited<ReturnType<typeof startCheckedDaemon>>;
  let token: string;
  let hardware: Hardware;
  const podman = async (...args: string[]) => (await engine?.podman(...args)) as string;

  beforeAll(async () => {
    dataDir = await newDataDir();
    checked = await startCheckedDaemon({ dataDir, containerEngine: engine?.socket ?? null });
    token = await checked.newToken();
    hardware = (await checked.ask('GET', '/v2/provider/lab')).body as Hardware;
  });
  afterAll(async () => {
    await checked?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const deployed = async (name: string, image: object, more: object = {}): Promise<EndpointClient> => {
    const request = ownFileRequest(name, writeTinyGguf(join(dataDir, 'tiny.gguf')), hardware, image);
    const { compute, model } = request;
    const body = { ...request, ...more, compute, model: { ...model, env: { LLAMA_ARG_TOP_K: '9' } } };
    expect(await checked.ask('POST', '/v2/endpoint/lab', { body })).toMatchObject({ status: 200 });
    return endpointClient(checked.daemon.url, token, name);
  };

  test('deploy, chat, sleep, wake, a container that somebody removes, delete', async () => {
    const endpoint = await deployed('whole', { url: engineImage('llamacpp'), ctxSize: 512 });
    await endpoint.until('running', START_MS);
    const reportNow = async () => (await endpoint.own()).report;
    // The memory of a container whose engine is slow is not waited for.
    await expect.poll(reportNow).toMatchObject({
      runtime: expect.stringMatching(/^Podman \d/),
      failure: null,
      replicas: [{ pid: null, container: expect.any(String), memoryBytes: expect.any(Number) }],
    });
    const report = await reportNow();
    expect((await endpoint.chat()).status).toBe(200);
    const stream = await (await endpoint.chat({ stream: true })).text();
    expect(stream.trimEnd().split('\n\n').at(-1)).toBe('data: [DONE]');
    const lines = async () => ((await checked.ask('GET', '/api/endpoints/lab/whole/log')).body as EndpointLog).lines;
    await expect
      .poll(async () => (await lines()).map(({ text }) => text))
      .toContainEqual(expect.stringMatching(/^llamacpp listens on 0\.0\.0\.0:/));

    expect((await endpoint.command('scale-to-zero')).status).toBe(200);
    await endpoint.until('scaledToZero');
    await expect.poll(() => podman('ps', '--all', '--quiet'), { timeout: START_MS, interval: 500 }).toBe('');
    expect((await endpoint.chat()).status).toBe(200);

    await podman('rm', '--force', '--time', '0', '--latest');
    await expect
      .poll(async () => (await endpoint.own()).report.replicas[0]?.container, { timeout: START_MS })
      .not.toBe(report.replicas[0]?.container);
    expect((await endpoint.chat()).status).toBe(200);
    await endpoint.until('running', START_MS);

    expect((await endpoint.remove()).status).toBe(200);
    expect(await podman('ps', '--all', '--quiet')).toBe('');
  });

  test.runIf(isTorture)('an image that is nowhere fails with the cause and an action', async () => {
    const endpoint = await deployed('nowhere', { url: '127.0.0.1:1/none/none:1' });
    await expect(endpoint.until('running')).rejects.toThrow(/is failed/);
    expect((await endpoint.own()).report.failure).toMatchObject({
      reason: 'image',
      message: expect.stringContaining('127.0.0.1:1'),
      action: expect.stringMatching(/\.$/),
    });
    const { life } = (await checked.ask('GET', '/api/endpoints/lab/nowhere')).body as EndpointDetail;
    expect(life.at(-1)).toMatchObject({ kind: 'failed' });
    await endpoint.remove();
  });

  test('the stop of the daemon leaves no container, not even one that ignores it', async () => {
    const endpoint = await deployed('stubborn', { url: engineImage('llamacpp') });
    await endpoint.until('running', START_MS);
    const body = JSON.stringify({ isStubborn: true });
    expect((await endpoint.ask('/--behave', { method: 'POST', body })).status).toBe(200);
    await checked[Symbol.asyncDispose]();
    expect(await podman('ps', '--all', '--quiet')).toBe('');
  });
});
