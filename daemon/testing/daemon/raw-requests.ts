export interface RawReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the reply as it came; tests compare it with what they expect
  readonly body: any;
}

/** Requests as they are written, malformed ones too, and replies with their status. Everything else uses the client. */
export interface RawDoor {
  get(path: string): Promise<RawReply>;
  post(path: string, body?: unknown): Promise<RawReply>;
  put(path: string, body: unknown): Promise<RawReply>;
  delete(path: string): Promise<RawReply>;
}

export function rawDoor(url: string): RawDoor {
  const send = (method: string) => async (path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
}
