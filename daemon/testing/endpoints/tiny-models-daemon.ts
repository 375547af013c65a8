import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { DaemonOptions } from '../../daemon-options.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../daemon/checked-daemon.ts';
import { newDataDir } from '../daemon/test-daemon.ts';
import { type TinyModel, writeTinyGguf } from '../models/tiny-gguf.ts';
import { type EndpointClient, endpointClient } from './endpoint-client.ts';
import { ownFileRequest } from './own-file-endpoint.ts';

/** With this seed the model answers `Hello` with digits, not with bytes that are no text. */
export const READABLE_SEED = 4;
/** Two models start at once, on a machine that is busy with other tests. */
const START_MS = 90_000;

/** A daemon that serves tiny models in the namespace `lab`. */
export interface TinyModelsDaemon extends AsyncDisposable {
  readonly checked: CheckedDaemon;
  readonly token: string;
  /** Writes a model file, creates an endpoint for it, and waits until it runs. Its repository is `ada/<name>`. */
  serve(name: string, more?: { model?: Partial<TinyModel>; image?: object; parts?: object }): Promise<EndpointClient>;
}

/** @param more without `llamaServer`, the bundled runner serves the models */
export async function startTinyModelsDaemon(more: Partial<DaemonOptions> = {}): Promise<TinyModelsDaemon> {
  const dataDir = await newDataDir();
  const checked = await startCheckedDaemon({ dataDir, ...more });
  const token = await checked.newToken();
  const hardware = (await checked.ask('GET', '/v2/provider/lab')).body as Hardware;
  return {
    checked,
    token,
    serve: async (name, { model = {}, image = {}, parts = {} } = {}) => {
      const modelPath = writeTinyGguf(join(dataDir, `${name}.gguf`), { seed: READABLE_SEED, ...model });
      const body = { ...ownFileRequest(name, modelPath, hardware, image), ...parts };
      expect(await checked.ask('POST', '/v2/endpoint/lab', { body })).toMatchObject({ status: 200 });
      const client = endpointClient(checked.daemon.url, token, name);
      await client.until('running', START_MS);
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      await checked[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
