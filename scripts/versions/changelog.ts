const UNRELEASED = '## Unreleased';

/**
 * Gives what is listed as unreleased in a changelog its version, below a new, empty "Unreleased".
 * @param date as 2026-01-31
 * @throws Error, for a person: nothing is unreleased
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  const [before, after, ...more] = text.split(`${UNRELEASED}\n`);
  if (after === undefined || more.length > 0) {
    throw new Error(`CHANGELOG.md needs the heading "${UNRELEASED}", once. Add it above what is new.`);
  }
  const [news = ''] = after.split(/^## /m);
  if (news.trim() === '') {
    throw new Error(`CHANGELOG.md lists nothing under "${UNRELEASED}". Write there what a user can do now.`);
  }
  return `${before}${UNRELEASED}\n\n## ${version} (${date})\n${after}`;
}
