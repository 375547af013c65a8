import { posix } from 'node:path';
import { byteText } from '../../contract/common/byte-text.ts';
import { displayText } from '../../shared/display-text.ts';
import type { PackageFiles } from '../package-files.ts';
import { type PackageFinding, problem, warning } from '../package-finding.ts';
import { settingsPageFrom } from '../settings-page.ts';
import type { CodeFacts } from './code-findings.ts';
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
      const message = `${displayText(path, 120)} has ${bytes}, which every user downloads.`;
      return warning('large-file', message, { file: path });
    }),
    ...linksOutside.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a link that leads out of the folder.`;
      return problem('link-outside', message, { file: path, action: 'Replace the link by the file itself.' });
    }),
    ...linkedEnvironments.slice(0, MAX_NAMED).map((path) => {
      const message = `${displayText(path, 120)} is a virtual environment of Python, whose links lead out of the folder.`;
      const action = 'Delete it, and make it anew as .venv, which is left out. Name it in .gitignore, too.';
      return problem('link-outside', message, { file: path, action });
    }),
    ...leftoverFindings(files),
    ...(truncated
      ? [warning('too-many-files', 'The folder holds more files than an app has, so that only some were checked.')]
      : []),
  ];
}

function landingFindings(paths: readonly string[]): PackageFinding[] {
  const seen = 'the page that visitors of the published app see';
  return [
    ...(paths.includes('index.html') ? [] : [warning('no-landing-page', `There is no index.html, ${seen}.`)]),
    ...(paths.includes('style.css') ? [] : [warning('no-landing-style', `There is no style.css for ${seen}.`)]),
  ];
}

/** Environments and caches that git would add. */
function leftoverFindings({ paths, leftovers, isIgnored }: OwnFiles): PackageFinding[] {
  const found = [...leftovers, ...paths.filter((path) => path === '.env')].filter((path) => !isIgnored(path));
  if (found.length === 0) return [];
  const named = found.slice(0, MAX_NAMED).map((path) => displayText(path, 80));
  const message = `No .gitignore names ${named.join(', ')}: git would add it.`;
  return [warning('no-gitignore', message, paths.includes('.gitignore') ? { file: '.gitignore' } : {})];
}

/** The daemon's own default port. */
const DAEMON_PORT = 8000;
const FIRST_FREE_PORT = 1024;

/** Findings about the app's own page: its address, and whether there is something to show. */
export function pageFindings(facts: CodeFacts | null, { paths }: Pick<PackageFiles, 'paths'>): PackageFinding[] {
  const { page, class: appClass, serves } = facts ?? {};
  if (!page || page.text === null) return [];
  const shown = displayText(page.text, 120);
  const place = { file: page.file, line: page.line };
  const settings = settingsPageFrom(page.text);
  if (!settings) {
    return [warning('bad-page-address', `custom_app_url is "${shown}", which is no http address with a port.`, place)];
  }
  if (settings.port === DAEMON_PORT) {
    const message = `custom_app_url has the port ${DAEMON_PORT}, which is the daemon's own.`;
    return [problem('page-port-taken', message, place)];
  }
  if (settings.port < FIRST_FREE_PORT) {
    const message = `custom_app_url has the port ${settings.port}, which is for services of the system.`;
    return [warning('page-port-taken', message, place)];
  }
  const index = posix.join(posix.dirname(appClass?.file ?? page.file), 'static', 'index.html');
  if (serves !== false || paths.includes(index)) return [];
  const message = `custom_app_url is "${shown}", but there is no ${index}, and the code serves no page.`;
  return [warning('page-missing', message, place)];
}

const MAX_PAGES = 20;
/** Scripts and styles; what else a page names may be a route of the app. */
const REFERENCE = /<(?:script\b[^>]*?\bsrc|link\b[^>]*?\bhref)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const FILE = /^[^:?#/{}$\\][^:?#{}$\\]*\.(?:m?js|css)$/i;

/** Finds scripts and styles beside a page that it names and that are not there. */
export async function referenceFindings(files: Pick<PackageFiles, 'paths' | 'read'>): Promise<PackageFinding[]> {
  const pages = files.paths.filter((path) => path === 'index.html' || /(?:^|\/)static\/[^/]+\.html$/.test(path));
  const findings: PackageFinding[] = [];
  for (const page of pages.slice(0, MAX_PAGES)) {
    // Comments keep their lines.
    const text = ((await files.read(page)) ?? '').replace(/<!--[\s\S]*?-->/g, (comment) =>
      comment.replace(/[^\n]/g, ' '),
    );
    if (/<base\b/i.test(text)) continue;
    for (const match of text.matchAll(REFERENCE)) {
      const [name = ''] = (match[1] ?? match[2] ?? '').trim().split(/[?#]/);
      const path = posix.join(posix.dirname(page), name);
      // The style of the landing page has a rule of its own.
      if (!FILE.test(name) || path === 'style.css' || files.paths.includes(path)) continue;
      const line = text.slice(0, match.index + match[0].length).split('\n').length;
      const message = `${page} names ${displayText(name, 120)}, which is not there.`;
      findings.push(warning('missing-reference', message, { file: page, line }));
    }
  }
  return findings;
}
