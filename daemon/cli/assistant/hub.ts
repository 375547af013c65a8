import { NoHubToken } from '../../assistant/errors.ts';
import { type FoundToken, hubTokenForAssistant } from '../../assistant/publish/hub-token-for-assistant.ts';
import { HubClient } from '../../hub/hub-client.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { askHidden, canAsk } from '../shared/ask.ts';
import { printError } from '../shared/print.ts';
import type { Surroundings } from './surroundings.ts';

/** A client of the hub, and the token that it uses. */
export interface HubOfAssistant extends FoundToken {
  readonly hub: HubClient;
}

/** A client of the hub with a token, which a variable, the data folder or a person gives. @throws NoHubToken, Interrupted */
export async function hubWithToken(
  hubUrl: string | null,
  { paths: { hubTokenFile, secretKeyFile } }: Surroundings,
): Promise<HubOfAssistant> {
  const log = createLogger('error');
  const ask = canAsk() ? typedToken : null;
  const sources = { environment: process.env, hubUrl, hubTokenFile, secretKeyFile, ask };
  const { token, from } = await hubTokenForAssistant(sources);
  const hub = new HubClient({
    hubUrl,
    token: async () => token,
    onTokenRefused: () => {},
    clock: systemClock,
    log,
  });
  return { hub, token, from };
}

async function typedToken(why: string | null): Promise<string> {
  if (why !== null) printError(why);
  const token = await askHidden("Token of the hub, with write permission (from its website; it isn't shown):");
  if (token === '') throw new NoHubToken();
  return token;
}
