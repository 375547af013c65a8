import { parse } from 'yaml';

/** Parses the YAML between the dashes at the top of a README. @returns null without any @throws Error for invalid YAML */
export function frontMatter(readme: string): Record<string, unknown> | null {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(readme) ?? [];
  const found: unknown = yaml === undefined ? null : parse(yaml);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
}

/** A space's card as the hub reads it: empty if it is invalid. */
export function cardOf(readme: string | undefined): Record<string, unknown> {
  try {
    return frontMatter(readme ?? '') ?? {};
  } catch {
    return {};
  }
}
