import type { BaseParts } from './create-base.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import { modelUsers } from './endpoints/model-users.ts';
import type { HubClient } from './hub/hub-client.ts';
import { ModelFiles } from './model-files/model-files.ts';

/** The space that downloads leave free: systems misbehave on a full disk. */
const RESERVE_BYTES = 500e6;
const RETRY_MS = 1_000;

/** Composes the model files. Nothing is read until one is wanted. */
export function createModelFiles(
  { options, paths, clock, log }: BaseParts,
  { hub, endpoints }: { hub: HubClient; endpoints: Endpoints },
): ModelFiles {
  return new ModelFiles({
    folder: paths.models,
    hub,
    ggufReader: options.resources.ggufReader,
    users: async () => {
      const { records } = await endpoints.listing({ page: 1, limit: Number.POSITIVE_INFINITY });
      return modelUsers(records);
    },
    reserveBytes: RESERVE_BYTES,
    retryMs: RETRY_MS,
    clock,
    log,
  });
}
