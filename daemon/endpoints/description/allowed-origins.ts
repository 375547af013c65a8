import { ANY_ORIGIN, MAX_ORIGIN_LENGTH } from '../../contract/endpoints/endpoint.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import type { AddIssue } from './problems.ts';

const EXAMPLE = 'http://localhost:5173';
/** For a page that has no origin to list. */
export const NO_ORIGIN = `Browsers send null for files and sandboxed frames. Serve the page at an address, such as ${EXAMPLE}.`;

/** The origins of a request in the form in which browsers send them. Paths of issues are the indices in the list. */
export function originsOf(wanted: readonly string[], addIssue: AddIssue): string[] {
  const origins: string[] = [];
  for (const [index, text] of wanted.entries()) {
    const problem = problemOf(text);
    const origin = problem === null && text !== ANY_ORIGIN ? new URL(text).origin : text;
    if (problem !== null) addIssue([index], problem);
    else if (origins.includes(origin)) addIssue([index], `${origin} is listed twice.`);
    else if (origin.length > MAX_ORIGIN_LENGTH)
      addIssue([index], `An origin has at most ${MAX_ORIGIN_LENGTH} characters.`);
    else origins.push(origin);
  }
  return origins;
}

/** Every page may use a public endpoint only: at others, a page of any site could try tokens. */
export function checkAnyOrigin(
  { type, allowedOrigins }: Pick<EndpointParts, 'type' | 'allowedOrigins'>,
  addIssue: AddIssue,
): void {
  const index = allowedOrigins.indexOf(ANY_ORIGIN);
  if (type === 'public' || index === -1) return;
  addIssue(
    ['allowedOrigins', index],
    `Only an endpoint of type public can allow every page with ${ANY_ORIGIN}; this one is ${type}. List the origin of each page, such as ${EXAMPLE}.`,
  );
}

/** Why a text is no origin, with what to send; null: it is one. */
function problemOf(text: string): string | null {
  if (text === ANY_ORIGIN) return null;
  if (text === 'null') return NO_ORIGIN;
  if (text.includes(ANY_ORIGIN))
    return `${ANY_ORIGIN} stands for no part of an origin. List each origin, such as ${EXAMPLE}.`;
  const [, authority, more] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (authority === undefined) return `An origin begins with http:// or https://, such as ${EXAMPLE}.`;
  if (/[\s\\@]/.test(authority) || !URL.canParse(text)) return `This is no origin. Use one such as ${EXAMPLE}.`;
  return more === '' ? null : `An origin has no path. Use ${new URL(text).origin}.`;
}
