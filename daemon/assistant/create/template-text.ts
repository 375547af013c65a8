import type { AppNames } from '../../contract/apps/app-names.ts';

/** The port of the templates' settings page. Each app gets one of its own, so that two apps do not clash. */
const TEMPLATE_PORT = 8042;
const FIRST_PORT = 8100;
const PORTS = 800;

/** The names in the templates. */
const placeholder = new RegExp(
  `app_template|AppTemplate|app-template|App template|(?<=localhost:)${TEMPLATE_PORT}`,
  'g',
);

/** Replaces a template's names and port by the app's, in a text or a path. */
export function withNames(text: string, names: AppNames): string {
  const values: Readonly<Record<string, string>> = {
    app_template: names.package,
    AppTemplate: names.className,
    'app-template': names.distribution,
    'App template': names.title,
    [TEMPLATE_PORT]: String(portOf(names.package)),
  };
  return text.replace(placeholder, (found) => values[found] ?? found);
}

/** The port of an app's settings page, always the same for a name. */
export function portOf(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name)) hash = (hash * 31 + byte) % 1_000_003;
  return FIRST_PORT + (hash % PORTS);
}
