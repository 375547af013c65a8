import { inFile, type PackageFinding, problem } from '../package-finding.ts';
import type { OwnFiles } from './own-files.ts';
import { secretsIn } from './secrets.ts';

const MAX_FILE_BYTES = 512 * 1024;
const MAX_FILES = 500;
const MAX_FINDINGS = 20;
const MEDIA = /\.(?:png|jpe?g|gif|webp|ico|wav|mp3|ogg|flac|mp4|webm|onnx|npy|npz|pt|bin|zip|gz|whl|woff2?|ttf|pdf)$/i;

/** Finds tokens in the files that are published. Their text is in no message. */
export async function secretFindings(files: OwnFiles): Promise<PackageFinding[]> {
  const findings: PackageFinding[] = [];
  const paths = files.paths.filter(
    (path) => !MEDIA.test(path) && (files.sizes.get(path) ?? 0) <= MAX_FILE_BYTES && files.isPublished(path),
  );
  for (const path of paths.slice(0, MAX_FILES)) {
    const text = (await files.read(path)) ?? '';
    if (text.includes('\0')) continue;
    for (const { kind, line } of secretsIn(text)) {
      const message = `${path} holds ${kind}, which everyone could read who gets the app.`;
      findings.push(inFile(problem('secret', message, 'Read it from a variable, and revoke this one.'), path, line));
    }
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}
