/** The shells that a command line can be for: those of Unix, or cmd and PowerShell. */
type Shell = 'posix' | 'windows';

/** The first "=" would name a program for zsh. PowerShell reads "," and "@" as more than letters. */
const isPlain = (word: string, shell: Shell): boolean =>
  (shell === 'posix' ? /^[\w@%+:,./-][\w@%+=:,./-]*$/ : /^[\w+:./-][\w+=:./-]*$/).test(word);

/** A word of a command line, in quotes where the shell would read it as something else. Windows: see `isPastable`. */
export function shellWord(word: string, shell: Shell = 'posix'): string {
  if (shell === 'windows') return isPlain(word.replaceAll('\\', '/'), shell) ? word : `"${word}"`;
  // In fish, a backslash before a quote or a backslash counts within quotes, too.
  return isPlain(word, shell) ? word : `'${word.replace(/['\\]/g, `'\\$&'`)}'`;
}

/**
 * Whether a word that somebody else may have written is only a word once it is pasted into a terminal. Control characters
 * steer a terminal, even within quotes; and cmd and PowerShell have no common quotes for some characters. One that begins
 * with "-" would be an option.
 */
export function isPastable(word: string, shell: Shell): boolean {
  if (word.startsWith('-') || /\p{Cc}/u.test(word)) return false;
  return shell === 'posix' || !/["%$`“”„]|\\$/.test(word);
}
