import type { Passed, Setting, Variant } from './variant.ts';

/** The arguments and variables of an image's members, in the order of the variant's table. */
export function settingsOf({ settings }: Variant, image: Readonly<Record<string, unknown>>): Required<Passed> {
  const args: string[] = [];
  const environment: Record<string, string> = {};
  for (const [member, setting] of Object.entries(settings)) {
    const value = textOf(setting, image[member]);
    if (value === null) continue;
    const { to, flags } = setting;
    Object.assign(environment, setting.environment);
    if (flags?.[value] !== undefined) args.push(flags[value]);
    if (to?.startsWith('-')) args.push(to, value);
    else if (to !== null) environment[to] = value;
  }
  return { args, environment };
}

/** @returns null: nothing is passed, so that the engine chooses */
function textOf({ values, hasZero }: Setting, value: unknown): string | null {
  if (value === 0 && !hasZero) return null;
  if (value === true) return 'true';
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return values?.[value] ?? String(value);
}
