import { join } from 'node:path';
import { HubClient } from '../../hub/hub-client.ts';
import { ModelFiles, type ModelFilesDeps } from '../../model-files/model-files.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';

/** The program that reads headers, from its source. */
export const ggufReader = join(import.meta.dirname, '..', '..', 'model-files', 'gguf-reader.ts');

/** The model files in a folder, from a hub on this machine. */
export function modelFilesIn(folder: string, hubUrl: string, more: Partial<ModelFilesDeps> = {}): ModelFiles {
  const log = createLogger('error');
  return new ModelFiles({
    folder,
    hub: new HubClient({
      hubUrl,
      token: async () => null,
      onTokenRefused: () => {},
      clock: systemClock,
      log,
      timeouts: { answerMs: 30_000, stallMs: 30_000, retryMs: 10, retriesMs: 500 },
    }),
    ggufReader,
    users: async () => [],
    reserveBytes: 0,
    retryMs: 10,
    clock: { ...systemClock, now: () => new Date('2026-11-22T12:00:00Z') },
    log,
    ...more,
  });
}
