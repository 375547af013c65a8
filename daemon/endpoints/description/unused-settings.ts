import type { EndpointParts } from './endpoint-parts.ts';

/** Settings of an endpoint that this machine cannot honour, and whether an endpoint has them. */
const unused: readonly (readonly [name: string, isSet: (parts: EndpointParts) => boolean])[] = [
  ['customRouter', ({ customRouter }) => customRouter !== null],
  ['route', ({ route }) => route !== null],
  ['privateService', ({ privateService }) => privateService !== null],
];

/** The settings of an endpoint that have no effect on this machine, by their names in the endpoint. */
export function unusedSettings(parts: EndpointParts): string[] {
  return unused.flatMap(([name, isSet]) => (isSet(parts) ? [name] : []));
}

/** One sentence about unused settings; null: all have an effect. */
export function unusedSettingsText(parts: EndpointParts): string | null {
  const names = unusedSettings(parts);
  return names.length === 0 ? null : `Not used on this machine: ${names.join(', ')}.`;
}
