/** Whether a text matches a pattern, in which `*` stands for any characters, slashes too, and `?` for one. */
export function matchesWildcard(text: string, pattern: string): boolean {
  let [at, of] = [0, 0];
  /** The position of the last `*`, and of the text when it was met: the place to try again. */
  let [star, retryAt] = [-1, 0];
  while (at < text.length) {
    if (pattern[of] === '*') {
      [star, retryAt] = [of++, at];
    } else if (pattern[of] === '?' || pattern[of] === text[at]) {
      at++;
      of++;
    } else if (star >= 0) {
      [at, of] = [++retryAt, star + 1];
    } else return false;
  }
  while (pattern[of] === '*') of++;
  return of === pattern.length;
}

export const isWildcard = (path: string) => /[*?]/.test(path);
