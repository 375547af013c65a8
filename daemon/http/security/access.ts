import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AccessTokens } from '../../access/access-tokens.ts';
import { mayDeploy } from '../../access/caller.ts';
import { SIGN_IN_PATH } from '../../access/sign-in-codes.ts';
import { Unauthorized } from '../requests/errors.ts';
import { operationAt, rightFor } from '../requests/operation-paths.ts';
import type { Authenticate } from './authentication.ts';
import { bearerToken } from './bearer.ts';
import { isLoopback } from './own-hosts.ts';

/** A request, as far as it tells where it comes from. */
type Sent = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Decides who may use the daemon: programs of this machine, others with a bearer token. */
export interface Access {
  /** Why a request may not enter; null: it may. */
  refusal(request: IncomingMessage): Promise<Unauthorized | null>;
}

/** The headers of proxies and tunnels: the standard's and the usual ones, and those of Cloudflare, Fastly, Fly, Tailscale and ngrok. */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cdn-loop|(?:cf|fastly|fly|tailscale|ngrok)-.+)$/;

/** Whether a proxy or a tunnel says that it has passed a request on. */
function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => OF_PROXIES.test(name));
}

/**
 * Whether a request comes from this machine: its peer uses loopback, or connects from the address that it connects to, and
 * says nothing of another one behind it. A proxy that says nothing is not recognized.
 */
export function isFromHere({ headers, socket }: Sent): boolean {
  return isPeerHere({ socket }) && !isPassedOn(headers);
}

function isPeerHere({ socket: { remoteAddress = '', localAddress } }: Pick<Sent, 'socket'>): boolean {
  return isLoopback(remoteAddress) || remoteAddress === localAddress;
}

export interface AccessDeps {
  readonly tokens: Pick<AccessTokens, 'verify'>;
  /** Knows the dashboard's sessions. */
  readonly authenticate: Authenticate;
}

/**
 * Access to a daemon. From this machine, everybody has it. From another one it takes the access token, a token with the
 * scope `daemon`, or, for deploys, one with the scope `deploy`. What a proxy or a tunnel of this machine passes on counts as
 * from another one, and there a dashboard can sign in.
 * @param accessToken null: there is none, since no other machine can reach the daemon
 */
export function accessFor(accessToken: string | null, { tokens, authenticate }: AccessDeps): Access {
  const isAccessToken = (text: string) => {
    const [given, wanted] = [Buffer.from(text), Buffer.from(accessToken ?? '')];
    return accessToken !== null && given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const hasToken = async (request: IncomingMessage) => {
    const text = bearerToken(request.headers);
    if (text === null) return false;
    if (isAccessToken(text)) return true;
    const token = await tokens.verify(text);
    return token !== null && (token.scopes.includes('daemon') || (mayDeploy(token) && isDeploy(request)));
  };
  return {
    refusal: async (request) => {
      if (isFromHere(request) || (await hasToken(request))) return null;
      if (!isPeerHere(request)) return new Unauthorized();
      const isSignIn = pathOf(request) === SIGN_IN_PATH;
      return isSignIn || (await authenticate(request))?.kind === 'session' ? null : new Unauthorized(PASSED_ON);
    },
  };
}

const PASSED_ON =
  'A proxy or a tunnel passed this request on, so it counts as one from another machine: send a token with the scope "daemon", or sign in with the path and code of the address that "robot-daemon sign-in" prints.';

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?')[0] ?? '';

/** Whether a request deploys, or asks about what was deployed. */
function isDeploy(request: IncomingMessage): boolean {
  const name = operationAt(request.method ?? '', pathOf(request));
  return name !== null && rightFor(name) === 'deployer';
}
