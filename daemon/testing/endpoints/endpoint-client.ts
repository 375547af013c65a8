import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint, EndpointState, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { ownConnection } from '../daemon/raw-requests.ts';

const POLL_MS = 25;

type Request = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** One endpoint in the namespace `lab`, as a program with a token uses it. */
export interface EndpointClient {
  readonly name: string;
  get(): Promise<Endpoint>;
  /** The endpoint with its current activity. */
  own(): Promise<OwnEndpoint>;
  /** Waits until it has a state. @throws Error with its status when it fails, or after the limit */
  until(state: EndpointState, limitMs?: number): Promise<Endpoint>;
  command(name: 'pause' | 'resume' | 'scale-to-zero'): Promise<Response>;
  remove(): Promise<Response>;
  /** A request to the endpoint itself, with the token. */
  ask(path: string, init?: Request): Promise<Response>;
  /** A chat of one message. */
  chat(more?: object, init?: Request): Promise<Response>;
}

export function endpointClient(daemonUrl: string, token: string, name: string): EndpointClient {
  const address = `${daemonUrl}/v2/endpoint/lab/${name}`;
  const authorization = `Bearer ${token}`;
  const send = (url: string, { headers, ...init }: Request = {}) =>
    fetch(url, {
      ...init,
      headers: { authorization, 'Content-Type': 'application/json', ...ownConnection, ...headers },
    });
  const client: EndpointClient = {
    name,
    get: async () => (await send(address)).json() as Promise<Endpoint>,
    own: async () => {
      const { endpoints } = (await (await send(`${daemonUrl}/api/endpoints?name=${name}`)).json()) as {
        endpoints: OwnEndpoint[];
      };
      return endpoints[0] as OwnEndpoint;
    },
    until: async (state, limitMs = 30_000) => {
      const untilMs = performance.now() + limitMs;
      for (;;) {
        const endpoint = await client.get();
        const { status } = endpoint;
        if (status.state === state) return endpoint;
        if (status.state === 'failed' || performance.now() > untilMs) {
          throw new Error(`${name} is ${status.state}, not ${state}: ${status.message} ${status.errorMessage ?? ''}`);
        }
        await sleep(POLL_MS);
      }
    },
    command: (command) => send(`${address}/${command}`, { method: 'POST' }),
    remove: () => send(address, { method: 'DELETE' }),
    ask: (path, init) => send(`${daemonUrl}/endpoints/lab/${name}${path}`, init),
    chat: (more = {}, init = {}) =>
      client.ask('/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({
          messages: [{ role: 'user', content: 'Hello' }],
          max_tokens: 8,
          temperature: 0,
          ...more,
        }),
        ...init,
      }),
  };
  return client;
}
