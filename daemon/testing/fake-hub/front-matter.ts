import { parse } from 'yaml';

/** @returns what stands between the dashes on top of a README; null where there is nothing. @throws Error of YAML */
export function frontMatter(readme: string): Record<string, unknown> | null {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(readme) ?? [];
  const found: unknown = yaml === undefined ? null : parse(yaml);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null;
}

/** As the hub reads the card of a space: what it cannot read is no card. */
export function cardOf(readme: string | undefined): Record<string, unknown> {
  try {
    return frontMatter(readme ?? '') ?? {};
  } catch {
    return {};
  }
}
