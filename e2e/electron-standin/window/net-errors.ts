/** Chromium's names of what went wrong with a load, and their numbers, as far as a dashboard meets them. */
const NUMBERS: Record<string, number> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_INVALID_ARGUMENT: -4,
  ERR_FILE_NOT_FOUND: -6,
  ERR_TIMED_OUT: -7,
  ERR_ACCESS_DENIED: -10,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_NETWORK_CHANGED: -21,
  ERR_BLOCKED_BY_RESPONSE: -27,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_CONNECTION_ABORTED: -103,
  ERR_CONNECTION_FAILED: -104,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_ADDRESS_INVALID: -108,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_CONNECTION_TIMED_OUT: -118,
  ERR_INVALID_URL: -300,
  ERR_DISALLOWED_URL_SCHEME: -301,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_TOO_MANY_REDIRECTS: -310,
  ERR_UNSAFE_PORT: -312,
  ERR_INVALID_RESPONSE: -320,
  ERR_EMPTY_RESPONSE: -324,
};

export interface NetError {
  /** `ERR_CONNECTION_REFUSED`. */
  readonly code: string;
  readonly errno: number;
}

/** From Chromium's `net::ERR_CONNECTION_REFUSED`. */
export function netError(text: string): NetError {
  const code = text.replace(/^net::/, '');
  return { code, errno: NUMBERS[code] ?? -2 };
}

/** What `loadURL` rejects with. */
export function loadError({ code, errno }: NetError, url: string): Error & NetError & { readonly url: string } {
  return Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url });
}
