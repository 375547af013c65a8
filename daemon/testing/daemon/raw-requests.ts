interface RawReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the reply unchanged; tests compare it with what they expect
  readonly body: any;
}

/**
 * Headers for `fetch` on a daemon in this process. After a process has stood still for seconds, its server closes an idle
 * connection while its client uses it again.
 */
export const ownConnection = { connection: 'close' };

/** Untyped requests, for tests of malformed ones and of statuses. Other tests use the client. */
export interface RawRequests {
  readonly get: (path: string) => Promise<RawReply>;
  readonly post: (path: string, body?: unknown) => Promise<RawReply>;
  readonly put: (path: string, body: unknown) => Promise<RawReply>;
  readonly delete: (path: string) => Promise<RawReply>;
}

export function rawRequests(url: string): RawRequests {
  const send = (method: string) => async (path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...ownConnection, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
}
