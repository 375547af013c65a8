/** The input of a call, of any operation. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** The request of a call. */
export interface DaemonRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** JSON; null: none. */
  readonly body: string | null;
}

/** @param address of the operation, `GET /api/jobs/{jobId}` */
export function requestOf(address: string, { params = {}, query = {}, body }: LooseInput = {}): DaemonRequest {
  const [method = '', path = ''] = address.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return { method, path: text ? `${filled}?${text}` : filled, body: body === undefined ? null : JSON.stringify(body) };
}
