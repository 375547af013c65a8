/** A fetch for a daemon that follows no redirect. @param token sent as a bearer token; undefined: none */
export function bearerFetch(token: string | undefined): typeof fetch {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...authorization },
      redirect: 'error',
    });
}
