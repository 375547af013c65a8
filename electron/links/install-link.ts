/** Links of the program's own scheme, `robot-desktop://install?url=…`. Any web page can open one: none is trusted. */

export const LINK_SCHEME = 'robot-desktop';
const PREFIX = `${LINK_SCHEME}:`;

const MAX_CHARACTERS = 2_000;

/** The page that a link leads to, `#/apps?…`; or why it leads nowhere, in sentences. */
type LinkTarget = { readonly hash: string } | { readonly refused: string };

/**
 * The links among the arguments of a start: whole arguments, before the program's own options.
 * @param argv the arguments, with the program first
 */
export function linksIn(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const words = argv.slice(1, end === -1 ? argv.length : end);
  return words.filter((word) => word.toLowerCase().startsWith(PREFIX));
}

/**
 * The program's own options among the arguments of a start. On Windows a link becomes part of a command line, where a
 * quote in it could begin options: a start by a link has none there.
 */
export function ownOptions(argv: readonly string[], platform: NodeJS.Platform): readonly string[] {
  const start = argv.indexOf('--');
  if (start === -1 || (platform === 'win32' && linksIn(argv).length > 0)) return [];
  return argv.slice(start + 1);
}

/** Where links lead that were opened together. @returns null: there is none */
export function readLinks(links: readonly string[]): LinkTarget | null {
  const [link, ...more] = links;
  if (link === undefined) return null;
  return more.length > 0 ? refused('Several links came at once. Open them one by one.') : readLink(link);
}

/** A link never installs: it fills in the address of the install dialog, and its user decides. */
function readLink(text: string): LinkTarget {
  if (text.length > MAX_CHARACTERS) return refused(`It has more than ${MAX_CHARACTERS} characters.`);
  // Before it is parsed, which drops some of these without a word.
  if (!/^[\x21-\x7e]+$/.test(text)) return refused('It has characters that no link has.');
  const link = URL.parse(text);
  if (link?.protocol !== PREFIX) return refused('It cannot be read.');
  const isPlain = link.username === '' && link.password === '' && link.port === '' && link.hash === '';
  if (link.hostname !== 'install' || !['', '/'].includes(link.pathname) || !isPlain) {
    return refused('Links can only name an app to install, and this one says something else.');
  }
  const [parameter, ...more] = [...link.searchParams];
  if (parameter?.[0] !== 'url' || more.length > 0) return refused('It must name one address, and nothing else.');
  const address = addressOf(parameter[1]);
  if (address === null) return refused('It must name an https address, without a password or encoded characters.');
  return { hash: `#/apps?${new URLSearchParams({ install: address, from: 'link' }).toString()}` };
}

/**
 * The address of an app, as a browser writes it; null: no link may name it. Encoded characters can hide where an address
 * leads, from people and from other programs that read it; those of apps need none.
 */
function addressOf(text: string): string | null {
  if (!/^https:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=]+$/.test(text)) return null;
  const address = URL.parse(text);
  if (address === null || address.username !== '' || address.password !== '') return null;
  // The parser changes an address that reads as something else, such as one with "/../" or a backslash.
  const isAsItReads = address.href === text || address.href === `${text}/`;
  return isAsItReads ? address.href : null;
}

const refused = (reason: string): LinkTarget => ({ refused: reason });
