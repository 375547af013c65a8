import type { EndpointType, PrivateService } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';

/** Under the switch for the graphics card. */
export const cardHelp = {
  on: 'Parts that do not fit run on the processor.',
  off: 'Runs on the processor, usually slower, and leaves the card free.',
} as const;
export const onlyOnText = (place: 'graphics card' | 'processor'): string =>
  `The catalog has this file only for the ${place}.`;

export const nameHelp = 'It cannot be changed later.';
export const minReplicaHelp = '0 lets it sleep when idle.';
export const maxReplicaHelp = 'More copies when busy.';
export const sleepHelp = { sleeps: 'Minutes idle.', never: 'It always runs.' } as const;
export const accessTypes: readonly Choice<EndpointType>[] = [
  { value: 'authenticated', label: 'Authenticated', description: 'Anyone with a token of this daemon.' },
  { value: 'public', label: 'Public', description: 'Anyone who can reach it, without a token.' },
  { value: 'private', label: 'Private', description: 'Only its owner.' },
];
export const privateLinkHelp = 'Stored, but without effect on this machine.';
export const accountHelp = 'The cloud account that the link starts from.';
export const regions: readonly Choice<PrivateService['region']>[] = [
  { value: 'us-east-1', label: 'us-east-1' },
  { value: 'eu-west-1', label: 'eu-west-1' },
];

export const wholeNumberText = 'A whole number, 0 or more.';
export const noAccountText = 'Enter the account that may use the link.';
export const dashText = 'The name cannot begin with "-".';
export const belowMinText = (min: number): string => `Must not be below “At least” (${min}).`;
export const takenText = (name: string): string => `There is an endpoint "${name}" already.`;

export const signedOutText = 'This browser was signed out; the form keeps what you typed.';
