/** A quoted tag, a comma, a quote without its other, or the text between these. */
const TOKEN = /"[^"]*"|[",]|[^",]+/g;

/**
 * Whether a conditional GET or HEAD needs no body, because the client has the current one (RFC 9110, 13.1.2). Tags are
 * compared weakly. Cache-Control is not looked at: fetch() sends `no-cache` with each If-None-Match.
 * @param header If-None-Match; `*` matches whatever is there
 * @param etag the tag of the current body, weak or strong
 */
export function isKnownToClient(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  let member = '';
  for (const [token] of `${header},`.matchAll(TOKEN)) {
    if (token !== ',') member += token.trim();
    else if (member === opaque || member === `W/${opaque}`) return true;
    else member = '';
  }
  return false;
}
