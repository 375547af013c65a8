/** Where a code comes from, for a browser that has none yet. */
export const CODE_SOURCE = 'Robot Desktop shows a code under Settings, “Let another browser in”.';
export const TOKEN_TOO = 'A token that may deploy works, too.';

export const CODE_REFUSED = 'This code is unknown, was used, or has expired. Make a new one.';

/** Above the button that makes a code. */
export const codeHelp = 'Type the code in another browser, or open its address; valid once.';
export const EXPIRED = 'This code has expired.';

/** A browser that was signed in with a token lets nobody in. */
export const BY_TOKEN = 'This browser signed in with a token: to make codes and tokens, sign in with a code.';

export const tokenNameHelp = 'Its name in the list of tokens in Settings.';
export const SHOWN_ONCE = 'Copy it now: it is shown only this once.';
