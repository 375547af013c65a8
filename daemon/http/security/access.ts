import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AccessTokens } from '../../access/access-tokens.ts';
import { mayDeploy } from '../../access/caller.ts';
import { SIGN_IN_PATH } from '../../access/sign-in-codes.ts';
import { operations } from '../../contract/operations/operations.ts';
import { Unauthorized } from '../requests/errors.ts';
import { operationAt, rightFor } from '../requests/operation-paths.ts';
import { type Authenticate, bearerToken } from './authentication.ts';
import { looksFromHere, type RequestSources } from './request-sources.ts';

/** Decides who may use the daemon: programs of this machine, others with a bearer token. */
export interface Access {
  /**
   * Why a request may not enter; null: it may.
   * @param path as the routes read it: what runs is what was allowed
   */
  refusal(request: IncomingMessage, path: string): Promise<Unauthorized | null>;
}

/** The path of the SDK's socket. */
export const SDK_PATH = '/ws/sdk';
/** The requests of the SDK in an app that the daemon started: its socket, and its search for a daemon. */
const OF_SDK: ReadonlySet<string> = new Set([SDK_PATH, operations.getDaemonStatus.path]);

interface AccessDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  /** Knows the dashboard's sessions. */
  readonly authenticate: Authenticate;
  readonly sources: RequestSources;
  /** Whether a text is the token of the running app. */
  readonly isRunToken: (text: string) => boolean;
}

/**
 * Access to a daemon. From this machine, everybody has it, unless the daemon requires a token of everybody. Else it takes
 * the access token, a token with the scope `daemon`, or, for deploys, one with the scope `deploy`; for the SDK, that of the
 * running app. On this machine, and through a proxy or a tunnel of it, a dashboard can sign in.
 * @param accessToken null: there is none, since only this machine can reach the daemon, and needs none
 */
export function accessFor(
  accessToken: string | null,
  { tokens, authenticate, sources, isRunToken }: AccessDeps,
): Access {
  const isAccessToken = (text: string) => {
    const [given, wanted] = [Buffer.from(text), Buffer.from(accessToken ?? '')];
    return accessToken !== null && given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const hasToken = async (request: IncomingMessage, path: string) => {
    const text = bearerToken(request.headers);
    if (text === null) return false;
    if (isAccessToken(text)) return true;
    if (OF_SDK.has(path) && looksFromHere(request) && isRunToken(text)) return true;
    const token = await tokens.verify(text);
    return token !== null && (token.scopes.includes('daemon') || (mayDeploy(token) && isDeploy(request, path)));
  };
  return {
    refusal: async (request, path) => {
      if (sources.needsNoToken(request) || (await hasToken(request, path))) return null;
      if (!sources.maySignIn(request)) return new Unauthorized();
      const isSignIn = path === SIGN_IN_PATH;
      if (isSignIn || (await authenticate(request))?.kind === 'session') return null;
      if (!looksFromHere(request)) return new Unauthorized(PASSED_ON);
      return new Unauthorized(sources.isFromHere(request) ? REQUIRED : LIKE_PROXY);
    },
  };
}

const PASSED_ON =
  'A proxy or a tunnel passed this request on, so it counts as one from another machine: send a token with the scope "daemon", or sign in with the path and code of the address that "robot-daemon sign-in" prints.';

const TOKEN_OR_SIGN_IN =
  'send "Authorization: Bearer <token>" with the token in the file access-token of its data folder or one of "robot-daemon token create --scope daemon", or sign in with the address that "robot-daemon sign-in" prints.';

const REQUIRED = `This daemon requires a token of every request: ${TOKEN_OR_SIGN_IN}`;

/** A program of this machine, or a proxy that adds no header. */
const LIKE_PROXY = `This daemon treats every request from this address as one that its proxy passes on (--behind-proxy), so your own programs need a token, too: ${TOKEN_OR_SIGN_IN}`;

/** Whether a request deploys, or asks about what was deployed. */
function isDeploy({ method = '' }: IncomingMessage, path: string): boolean {
  const name = operationAt(method, path);
  return name !== null && rightFor(name) === 'deployer';
}
