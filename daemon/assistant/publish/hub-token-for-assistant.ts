import { hubAddress } from '../../hub/hub-address.ts';
import { StoredToken } from '../../hub/hub-token.ts';
import { readJsonFile } from '../../shared/files/json-file.ts';
import { isOfKeyFile, keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { NoHubToken } from '../errors.ts';

/** The variables that may hold a token, the first one first. */
const VARIABLES = ['ROBOT_HUB_TOKEN', 'HF_TOKEN'] as const;

export interface TokenSources {
  readonly environment: NodeJS.ProcessEnv;
  /** null: the default of the hub's library. */
  readonly hubUrl: string | null;
  /** Of the daemon's data folder. */
  readonly hubTokenFile: string;
  readonly secretKeyFile: string;
  /**
   * Asks a person; null: nobody can be asked.
   * @param why the stored token cannot be used, in a sentence; null: there is none
   */
  readonly ask: ((why: string | null) => Promise<string>) | null;
}

/** A token, and what gave it. */
export interface FoundToken {
  readonly token: string;
  readonly from: (typeof VARIABLES)[number] | 'data-folder' | 'person';
}

/**
 * The token with which a program outside the daemon publishes: from a variable, else the one with which the daemon is
 * signed in, else from a person. It is stored nowhere.
 * @throws NoHubToken
 */
export async function hubTokenForAssistant(sources: TokenSources): Promise<FoundToken> {
  for (const from of VARIABLES) {
    const token = sources.environment[from]?.trim();
    if (token) return { token, from };
  }
  const stored = await storedToken(sources);
  if (stored !== null && 'token' in stored) return { token: stored.token, from: 'data-folder' };
  const token = (await sources.ask?.(stored?.why ?? null))?.trim();
  if (!token) throw new NoHubToken(stored?.why);
  return { token, from: 'person' };
}

/** @returns null when the daemon is not signed in to this hub, or why its token cannot be used here */
async function storedToken({
  hubUrl,
  hubTokenFile,
  secretKeyFile,
}: TokenSources): Promise<{ readonly token: string } | { readonly why: string } | null> {
  const stored = await readJsonFile(hubTokenFile, StoredToken).catch(() => 'unreadable' as const);
  if (stored === 'unreadable') return { why: `The daemon's token of the hub, in ${hubTokenFile}, cannot be read.` };
  if (stored === null || stored.hub !== (await hubAddress(hubUrl))) return null;
  if (!isOfKeyFile(stored.sealed)) {
    return { why: "The window keeps its token of the hub in the system's keychain, which only the window can read." };
  }
  return keyFileSecretStore(secretKeyFile)
    .decrypt(stored.sealed)
    .then(
      (token) => ({ token }),
      () => ({ why: "The daemon's token of the hub can no longer be decrypted." }),
    );
}
