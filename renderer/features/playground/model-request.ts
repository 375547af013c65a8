import { refusalText } from '../../../daemon/client/refusal-text.ts';

/** A reply of a model server. */
export interface RawReply {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds to the last byte that was read. */
  readonly tookMs: number;
  readonly text: string;
  /** Whether there is more than `text`. */
  readonly isCut: boolean;
}

/** The longest body that is shown. */
export const MAX_BODY = 256 * 1024;

interface RawRequest {
  readonly url: string;
  readonly method: string;
  /** null: none */
  readonly body: string | null;
}

/** Sends a request to a model server, and reads the beginning of its reply. @throws the reason of the signal; an Error with a sentence */
export async function sendRequest(
  { url, method, body }: RawRequest,
  signal: AbortSignal,
  send: typeof fetch = (input, init) => globalThis.fetch(input, init),
): Promise<RawReply> {
  const beginMs = performance.now();
  try {
    const response = await send(url, {
      method,
      signal,
      ...(body !== null && { body, headers: { 'content-type': 'application/json' } }),
    });
    const { text, isCut } = await beginningOf(response);
    const { status, statusText, headers } = response;
    return { status, statusText, headers: [...headers], tookMs: performance.now() - beginMs, text, isCut };
  } catch (error) {
    signal.throwIfAborted();
    throw new Error('The endpoint did not answer, or its answer broke off.', { cause: error });
  }
}

async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  if (!body) return { text: '', isCut: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_BODY) {
      await reader.cancel().catch(() => {});
      return { text: text.slice(0, MAX_BODY), isCut: true };
    }
  }
}

/** The object of a reply. @throws Error with the refusal, or that it is something else */
export function objectOf({ status, text, isCut }: RawReply): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = isCut ? null : JSON.parse(text);
  } catch {
    parsed = null;
  }
  const object = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  if (status >= 200 && status < 300 && object) return object;
  throw new Error(refusalText(object?.['error']) ?? `The endpoint answered ${status}, and not as expected.`);
}
