import type { CallInput } from '../../../daemon/client/calls.ts';
import type { DownloadCache } from '../../../daemon/contract/apps/apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { MailSecurity } from '../../../daemon/contract/notifications/mail-settings.ts';
import type { IssuedToken } from '../../../daemon/contract/tokens.ts';
import { counted } from '../../parts/format.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';

// The session and the tokens.
export const usedAddressText = 'It was used before, has expired, or its daemon has ended.';
export const notSignedInText = 'This browser is not signed in to the daemon: you can look at models, not deploy them.';
export const signOutHelp = 'To sign in again, use a code or a token.';
export const tokensText =
  'Programs send a token to deploy or use models. For one endpoint only, make a token on its page.';
export const noTokensText = 'No tokens yet.';
export const tokenPurposes = [
  { value: 'deploy', label: 'Deploy models', description: 'Create, change and use endpoints.' },
  { value: 'daemon', label: 'Use the daemon from another machine', description: 'Everything except deploying.' },
] as const satisfies readonly Choice<string>[];

/** The rights of a token, after its name: `may deploy models`. */
export function mayText({ scopes, namespaces }: Pick<IssuedToken, 'scopes' | 'namespaces'>): string {
  const may = scopes.map((scope) => {
    if (scope === 'deploy') return namespaces === null ? 'deploy models' : `deploy models in ${namespaces.join(', ')}`;
    return scope === 'daemon' ? 'use the daemon from another machine' : `use ${scope.slice('endpoint:'.length)}`;
  });
  return `may ${may.join(', ')}`;
}
export const revokeText =
  'Programs that use it are refused at once, and browsers that signed in with it are signed out.';

// The account on the hub.
export const hubTokenHelp = 'With read access, or write access to publish apps; stored encrypted.';
export const newHubTokenText = 'Sign out, then sign in with a new token.';
export const hubSignOutHelp = 'Forgets the token on this machine.';

// The mail server.
export const mailText =
  'Endpoints whose mail is switched on tell you by mail when they run, fail or cannot be updated.';
export const mailSignInText = 'Sign this browser in, above, to set up a mail server.';
export const mailSecurities: readonly Choice<MailSecurity>[] = [
  {
    value: 'starttls',
    label: 'STARTTLS',
    description: 'Usual on port 587; nothing is sent if the server lacks it.',
  },
  { value: 'tls', label: 'TLS', description: 'Usual on port 465.' },
  {
    value: 'none',
    label: 'None',
    description: 'For a server on this machine: others can read mail and password.',
  },
];
export const mailHelp = {
  host: 'The one for outgoing mail (SMTP).',
  user: 'If the server asks for one.',
  password: 'Stored encrypted on this machine, never shown again.',
  from: 'An address that the server sends from.',
  test: 'A test uses what is saved.',
} as const;
/** A reason of the daemon, read in the place that it names; what happened, and what to do. */
export function mailReason(reason: string): { readonly what: string; readonly action: string | null } {
  const text = reason.replace(/,? in Settings, under Mail/, '');
  const [, what = text, action = null] = /^(.+?\.) (\p{Lu}.*)$/su.exec(text) ?? [];
  return { what, action };
}
export const noUserText = 'Enter the user name that the password belongs to.';
export const sentTestText = (to: string): string => `The server accepted a test mail to ${to}.`;
export const lostTestText = 'If it does not arrive, look in the spam folder.';

// The theme.
export const themeText = 'The theme in this browser; System follows your desktop.';

// The catalog.
export const embeddedCatalogText = (models: number): string =>
  `The built-in catalog has ${counted(models, 'model')} and needs no network.`;
export const catalogKinds = [
  {
    value: 'specification',
    label: 'Robot Desktop service',
    description: 'Another robot-daemon, or a service with the same API.',
  },
  { value: 'hub', label: 'Hub service', description: "The same API with the hub's own field names." },
] as const satisfies readonly Choice<NonNullable<CallInput<'useRemoteCatalog'>['body']['dialect']>>[];
export const catalogHelp = {
  address: 'Ends in /api/v1.',
  token: 'If it asks for one; stored encrypted, never shown again.',
  embedded: 'Forgets the service and its token.',
} as const;

// The graphics card.
export const graphicsCardHelp = {
  on: 'Models use it from their next start, as far as memory allows.',
  off: 'Models use the processor from their next start; some need the card.',
} as const;
export const noCardText = {
  on: 'No graphics card was found that models can use: the switch changes nothing now.',
  off: 'Graphics cards are looked for once this is on.',
} as const;
export const cardSignInText = 'Sign this browser in, above, to change it.';

/** Before the link to Help, under the facts of the daemon. */
export const troubleText = 'Does something not work?';

// The downloads of installs.
export const pruneHelp = 'Installed apps stay; a later install downloads again what it needs.';
/** @param isSomeLeft whether downloads are left that are not removed */
export const freedText = (bytes: number, isSomeLeft: boolean): string =>
  `${byteText(bytes)} freed${isSomeLeft ? '; lists of packages, and packages built here, are kept' : ''}.`;
export function cacheText({ bytes: size, unusedBytes, isComplete }: DownloadCache): string {
  if (size === 0) return 'None are kept.';
  const most = isComplete ? '' : 'More than ';
  return `${most}${byteText(size)} are kept for later installs; ${unusedText(size, unusedBytes)}.`;
}

function unusedText(size: number, unusedBytes: number): string {
  if (unusedBytes === 0) return 'installed apps use all of it';
  return unusedBytes >= size ? 'no installed app uses it' : `installed apps use ${byteText(size - unusedBytes)} of it`;
}
