import { byteText } from '../../contract/common/byte-text.ts';
import { displayText } from '../../shared/display-text.ts';
import { inFile, type PackageFinding, problem, warning } from '../package-finding.ts';
import type { OwnFiles } from './own-files.ts';

const LARGE_BYTES = 10 * 1000 * 1000;
const MAX_NAMED = 5;

/** Findings about the files of an app, whatever is in them. */
export function fileFindings(files: OwnFiles): PackageFinding[] {
  const { paths, sizes, linksOutside, linkedEnvironments, truncated } = files;
  const large = paths.filter((path) => (sizes.get(path) ?? 0) > LARGE_BYTES && files.isPublished(path));
  return [
    ...landingFindings(paths),
    ...large.slice(0, MAX_NAMED).map((path) => {
      const bytes = byteText(sizes.get(path) ?? 0);
      return inFile(warning('large-file', `${displayText(path, 120)} has ${bytes}, which every user downloads.`), path);
    }),
    ...linksOutside.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a link that leads out of the folder.`;
      return inFile(problem('link-outside', message, 'Replace the link by the file itself.'), path);
    }),
    ...linkedEnvironments.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a virtual environment of Python, whose links lead out of the folder.`;
      const action = 'Delete it, and make it anew as .venv, which is left out. Name it in .gitignore, too.';
      return inFile(problem('link-outside', message, action), path);
    }),
    ...leftoverFindings(files),
    ...(truncated
      ? [warning('too-many-files', 'The folder holds more files than an app has, so that only some were checked.')]
      : []),
  ];
}

function landingFindings(paths: readonly string[]): PackageFinding[] {
  return [
    ...(paths.includes('index.html')
      ? []
      : [warning('no-landing-page', 'There is no index.html, the page that visitors of the published app see.')]),
    ...(paths.includes('style.css')
      ? []
      : [warning('no-landing-style', 'There is no style.css for the page that visitors of the published app see.')]),
  ];
}

/** Environments and caches that git would add. */
function leftoverFindings({ paths, leftovers, isIgnored }: OwnFiles): PackageFinding[] {
  const found = [...leftovers, ...paths.filter((path) => path === '.env')].filter((path) => !isIgnored(path));
  if (found.length === 0) return [];
  const named = found.slice(0, MAX_NAMED).map((path) => displayText(path, 80));
  const finding = warning('no-gitignore', `No .gitignore names ${named.join(', ')}: git would add it.`);
  return [paths.includes('.gitignore') ? inFile(finding, '.gitignore') : finding];
}
