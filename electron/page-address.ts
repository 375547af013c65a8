/**
 * Whether an address is a page of an origin that is served over HTTP. The origin alone does not tell: that of
 * `blob:http://127.0.0.1:8000/1` is the origin of the page that made the blob.
 * @param origin `http://127.0.0.1:8000`
 */
export function isPageOf(origin: string, url: string): boolean {
  const page = URL.parse(url);
  if (page === null || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false;
  // A name or a password in an address is shown before the host, and can pass for it.
  return page.origin === origin && page.username === '' && page.password === '';
}
