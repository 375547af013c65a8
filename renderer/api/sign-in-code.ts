/** A code as people type it: twelve letters and digits, in groups or not. */
const TYPED = /^[\da-z]{4}[\s-]?[\da-z]{4}[\s-]?[\da-z]{4}$/i;

/** The code that a person has typed or pasted, alone or in its address; null: the text is something else, such as a token. */
export function codeIn(text: string): string | null {
  const ofAddress = /^https?:\/\/\S+\?code=([\w-]+)$/.exec(text.trim())?.[1];
  return ofAddress ?? (TYPED.test(text.trim()) ? text.trim() : null);
}

/** Whether what is typed so far may be a code, which is no secret once it is used. A token has other characters. */
export const mayBeCode = (text: string): boolean => /^[\da-z\s-]{0,16}$/i.test(text);

/**
 * Exchanges a code for the cookie of this browser, at the sign-in address: it is open also where all other requests need a
 * token. The session says afterwards whether the code was valid.
 */
export async function exchangeCode(code: string): Promise<void> {
  // A daemon that is gone says so in the next request.
  await fetch(`/sign-in?code=${encodeURIComponent(code)}`, { redirect: 'manual' }).catch(() => {});
}
