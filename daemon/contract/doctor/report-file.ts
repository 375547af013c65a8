import type { ProblemReport } from './problem-report.ts';

/** A report of a problem as a text file. @param chosen the ids of the parts that it has */
export function reportFile(
  { createdAt, version, parts }: ProblemReport,
  chosen: ReadonlySet<string>,
): { readonly name: string; readonly text: string } {
  const omitted = parts.filter(({ id }) => !chosen.has(id)).map(({ title }) => title);
  const head = [
    'Robot Desktop: report of a problem',
    '',
    `Made at ${createdAt} by version ${version}. Its user saved this file; nothing has sent it anywhere.`,
    'Masked as far as they can be recognized: tokens, passwords, values of variables, home folders, the name of the user.',
    ...(omitted.length > 0 ? [`Left out: ${omitted.join('; ')}.`] : []),
  ];
  const sections = parts
    .filter(({ id }) => chosen.has(id))
    .map(({ title, text }) => `\n== ${title} ==\n\n${text.trimEnd()}\n`);
  return {
    name: `robot-desktop-problem-${createdAt.slice(0, 19).replace('T', '-').replaceAll(':', '')}.txt`,
    text: `${head.join('\n')}\n${sections.join('')}`,
  };
}
