import type { DaemonRequest } from './daemon-request.ts';
import { shellWord } from './shell-words.ts';

interface CurlRequest extends Pick<DaemonRequest, 'method' | 'body'> {
  readonly url: string;
  /** The environment variable that holds the token, which is never shown; null: none is sent. */
  readonly tokenVariable: string | null;
}

/** A request as a command line of curl, for a shell of Unix. */
export function curlText({ method, url, body, tokenVariable }: CurlRequest): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`,
    tokenVariable !== null && `  -H "Authorization: Bearer $${tokenVariable}"`,
    body !== null && `  -H 'Content-Type: application/json'`,
    body !== null && `  -d ${shellWord(body)}`,
  ]
    .filter((line) => line !== false)
    .join(' \\\n');
}
