import { readFile } from 'node:fs/promises';
import { secretsIn } from '../../../app-package/author/secrets.ts';
import type { CheckFinding } from '../../../contract/apps/own-apps.ts';
import { publishProblem } from '../space/errors.ts';
import type { LocalFile } from './local-file.ts';

/** Larger files are data. */
const MAX_BYTES = 1024 * 1024;

/** Finds tokens and keys in a text file. @param token the one that publishes, a secret whatever its form; null: unknown */
export async function secretFindings(
  { path, bytes, content }: LocalFile,
  token: string | null,
): Promise<CheckFinding[]> {
  if (bytes > MAX_BYTES || content instanceof Uint8Array) return [];
  const read = await readFile(content.file);
  if (read.includes(0)) return [];
  const text = read.toString('utf8');
  const found = secretsIn(text);
  const [before = '', after] = token === null ? [] : text.split(token, 2);
  if (after !== undefined) found.push({ kind: 'the token of the hub', line: before.split('\n').length });
  return [...new Map(found.map((secret) => [secret.line, secret])).values()].map(({ kind, line }) =>
    publishProblem('secret', `It holds ${kind}, which everyone could read who sees the Space.`, {
      file: path,
      line,
      action: 'Read it from a variable, and revoke this one.',
    }),
  );
}
