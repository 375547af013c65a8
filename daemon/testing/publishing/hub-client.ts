import { HubClient } from '../../hub/hub-client.ts';
import type { HubTimeouts } from '../../hub/hub-fetch.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';

/** Asks a hub with a token, and repeats without long waits. */
export function hubClient(hubUrl: string, token: string | null, timeouts: Partial<HubTimeouts> = {}): HubClient {
  return new HubClient({
    hubUrl,
    token: async () => token,
    onTokenRefused: () => {},
    clock: systemClock,
    log: createLogger('error'),
    timeouts: { retryMs: 20, retriesMs: 1_500, ...timeouts },
  });
}
