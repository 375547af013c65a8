/** Where a code comes from, for a browser that has none yet. */
export const CODE_SOURCE =
  'The window of Robot Desktop shows a code, and so does each signed-in browser: Settings, Let another browser in.';
export const TOKEN_TOO = 'Or use a token of this daemon that may deploy; a token of the hub does not work.';

export const CODE_REFUSED = 'This code is unknown, was used, or is too old. Make a new one.';

/** What a code does, above the button that makes one. */
export const CODE_USE = 'A code signs another browser in, once. Type it there, or open its address.';

/** A browser that was signed in with a token lets nobody in. */
export const BY_TOKEN =
  'This browser signed in with a token, so it makes no codes and no tokens. Sign in with a code for that.';

export const SHOWN_ONCE = 'Copy it now: it is shown only this once.';
