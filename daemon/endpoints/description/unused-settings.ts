import type { EndpointParts } from './endpoint-parts.ts';

/** Settings of an endpoint that this machine cannot honour, and whether an endpoint has them. */
const unused: readonly (readonly [name: string, isSet: (parts: EndpointParts) => boolean])[] = [
  ['customRouter', ({ customRouter }) => customRouter !== null],
  ['route', ({ route }) => route !== null],
  ['privateService', ({ privateService }) => privateService !== null],
];

/** The name of mail that is wanted while no mail server is set up. */
const NO_MAIL = 'notifications.email';

/**
 * The settings of an endpoint that have no effect on this machine, by their names in the endpoint.
 * @param canMail whether a mail server is set up
 */
export function unusedSettings(parts: EndpointParts, canMail: boolean): string[] {
  return [...unusedHere(parts), ...(lacksMail(parts, canMail) ? [NO_MAIL] : [])];
}

/** A sentence about them; null: all have an effect. */
export function unusedSettingsText(parts: EndpointParts, canMail: boolean): string | null {
  const names = unusedHere(parts);
  const sentences = [
    ...(names.length > 0 ? [`Not used on this machine: ${names.join(', ')}.`] : []),
    ...(lacksMail(parts, canMail) ? ['It sends no mail: no mail server is set up.'] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

const unusedHere = (parts: EndpointParts) => unused.flatMap(([name, isSet]) => (isSet(parts) ? [name] : []));

const lacksMail = ({ notifications }: EndpointParts, canMail: boolean) => notifications.email && !canMail;
