/** A requirement by PEP 508; its specifier and marker are not parsed. */
export interface Requirement {
  /** The normalized name, `robot-sdk`. */
  readonly name: string;
  readonly extras: readonly string[];
  /** `>=1.2,<2`; empty for any version. */
  readonly specifier: string;
  /** The address to fetch it from, if given. */
  readonly address: string | null;
}

const MAX_CHARS = 1000;
const REQUIREMENT =
  /^\s*([A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?)\s*(?:\[([A-Z0-9._,\s-]*)\])?\s*(?:@\s*(\S+)|\(([^)]*)\)|([<>=!~][^;]*))?\s*(?:;.*)?$/is;

/** @returns null for an option, a path, or an address without a name */
export function parseRequirement(text: string): Requirement | null {
  const found = text.length <= MAX_CHARS ? REQUIREMENT.exec(text) : null;
  if (!found) return null;
  const [, name = '', extras = '', address = null, inParentheses = '', specifier = ''] = found;
  return {
    name: name.toLowerCase().replace(/[-_.]+/g, '-'),
    extras: extras.split(',').flatMap((extra) => extra.trim() || []),
    specifier: (inParentheses || specifier).trim(),
    address,
  };
}
