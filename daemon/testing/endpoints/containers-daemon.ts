import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import type { DaemonOptions } from '../../daemon-options.ts';
import type { TestContainerEngine } from '../containers/container-engine.ts';
import type { EngineReport } from '../containers/image/report.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../daemon/checked-daemon.ts';
import { newDataDir } from '../daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { minimalRequest } from '../models/some-endpoints.ts';
import { tinyGguf } from '../models/tiny-gguf.ts';
import { type EndpointClient, endpointClient } from './endpoint-client.ts';
import { processorIn } from './own-file-endpoint.ts';

type Model = Partial<EndpointRequest['model']> & Pick<EndpointRequest['model'], 'image'>;

/** A daemon that runs endpoints of the namespace `lab` in containers of a real engine, with a hub that has two models. */
export interface ContainersDaemon extends AsyncDisposable {
  readonly checked: CheckedDaemon;
  readonly hub: FakeHub;
  readonly token: string;
  /** The request for an endpoint on this machine's processor, for `ada/Tiny` unless its model says otherwise. */
  request(name: string, model: Model, more?: Partial<EndpointRequest>): EndpointRequest;
  /** Creates an endpoint by such a request. */
  create(name: string, model: Model, more?: Partial<EndpointRequest>): Promise<EndpointClient>;
}

/** @param more options of the daemon; the file `dataDir` is not removed when it is given */
export async function startContainersDaemon(
  engine: TestContainerEngine,
  more: Partial<DaemonOptions> = {},
): Promise<ContainersDaemon> {
  const hub = await startFakeHub();
  await addModels(hub);
  const dataDir = more.dataDir ?? (await newDataDir());
  const checked = await startCheckedDaemon({ hubUrl: hub.url, containerEngine: engine.socket, ...more, dataDir });
  const token = await checked.newToken();
  const hardware = (await checked.ask('GET', '/v2/provider/lab')).body as Hardware;
  const request: ContainersDaemon['request'] = (name, model, parts) => requestOn(hardware, name, model, parts);
  return {
    ...{ checked, hub, token, request },
    create: async (name, model, parts) => {
      const body = request(name, model, parts);
      expect(await checked.ask('POST', '/v2/endpoint/lab', { body })).toMatchObject({ status: 200 });
      return endpointClient(checked.daemon.url, token, name);
    },
    [Symbol.asyncDispose]: async () => {
      await checked[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
      if (!more.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** `ada/Tiny`, as engines in containers read models, and `ada/Tiny-GGUF`. */
async function addModels(hub: FakeHub): Promise<void> {
  const weights = { lfs: Buffer.alloc(4_096, 1) };
  await hub.addModel({
    id: 'ada/Tiny',
    files: { 'config.json': '{}', 'tokenizer.json': '{}', 'model.safetensors': weights, 'README.md': '# Tiny' },
  });
  await hub.addModel({ id: 'ada/Tiny-GGUF', files: { 'tiny-q4.gguf': { lfs: tinyGguf() }, 'README.md': '# Tiny' } });
}

/** Of an endpoint whose container gets no files of a model. */
export const withoutModel = { experimentalFeatures: { skipRepoDownload: true } };

/** @param hardware the daemon's list of compute */
export function requestOn(
  hardware: Hardware,
  name: string,
  model: Model,
  parts: Partial<EndpointRequest> = {},
): EndpointRequest {
  const request = minimalRequest(name);
  return {
    ...request,
    ...parts,
    compute: { ...request.compute, ...processorIn(hardware), ...parts.compute },
    model: { repository: 'ada/Tiny', framework: 'pytorch', ...model },
  };
}

/** How an endpoint's container was started, asked through the gateway. */
export async function reported(endpoint: EndpointClient): Promise<EngineReport> {
  return (await endpoint.ask('/--reported')).json() as Promise<EngineReport>;
}

/** Changes how an endpoint's container behaves. */
export async function behave(endpoint: EndpointClient, how: object): Promise<void> {
  await endpoint.ask('/--behave', { method: 'POST', body: JSON.stringify(how) });
}
