import * as z from 'zod';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { SecretUnreadable } from '../../shared/files/key-file-secret-store.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { listText } from '../../shared/list-text.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';

/** The encrypted secrets of an endpoint. */
export const SealedSecrets = z.strictObject({
  /** Encrypted values by environment variable. */
  variables: z.record(z.string(), z.string()),
  /** The encrypted password of the account that pulls the image; null: no account. */
  imagePassword: z.string().nullable(),
});
export type SealedSecrets = z.infer<typeof SealedSecrets>;

export const noSecrets: SealedSecrets = { variables: {}, imagePassword: null };

/** The decrypted secrets, for the endpoint's container. */
export interface OpenSecrets {
  readonly variables: Readonly<Record<string, string>>;
  readonly imagePassword: string | null;
}

/** Secrets were encrypted with another key, or their record was changed. */
export class EndpointSecretsUnreadable extends DomainError {
  readonly action: string;
  constructor(names: readonly string[]) {
    const text = listText(names);
    super(`The ${names.length > 1 ? 'secrets' : 'secret'} ${text} can no longer be read.`);
    this.action = `Set ${text} of the endpoint again.`;
  }
}

/** The password's name for people. */
export const IMAGE_PASSWORD = 'the password of the image';

/** An endpoint's parts without secrets, and its secrets encrypted. */
interface Sealed {
  readonly parts: EndpointParts;
  readonly sealed: SealedSecrets;
}

/**
 * Separates and encrypts the secrets. A secret that is null keeps its previous value. An image password that is null
 * keeps its previous value only for the same user name and registry, so that no other registry receives it.
 */
export async function seal(parts: EndpointParts, before: Sealed | null, store: SecretStore): Promise<Sealed> {
  const previous = before?.sealed ?? noSecrets;
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parts.model.secrets)) {
    const sealed = value === null ? ownMember(previous.variables, name) : await store.encrypt(value);
    if (sealed !== undefined) variables[name] = sealed;
  }
  const credentials = credentialsOf(parts);
  const isSameAccount = credentials !== null && before !== null && accountOf(parts) === accountOf(before.parts);
  const password = credentials?.password ?? null;
  return {
    parts: withoutSecrets(parts),
    sealed: {
      variables,
      imagePassword:
        password === null ? (isSameAccount ? previous.imagePassword : null) : await store.encrypt(password),
    },
  };
}

/** @throws EndpointSecretsUnreadable, StorageError when the key may not be read */
export async function unseal({ variables, imagePassword }: SealedSecrets, store: SecretStore): Promise<OpenSecrets> {
  const unreadable: string[] = [];
  const open = (name: string, sealed: string) =>
    store.decrypt(sealed).catch((error: unknown) => {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable.push(name);
      return '';
    });
  const opened: Record<string, string> = {};
  for (const [name, sealed] of Object.entries(variables)) opened[name] = await open(name, sealed);
  const password = imagePassword === null ? null : await open(IMAGE_PASSWORD, imagePassword);
  if (unreadable.length > 0) throw new EndpointSecretsUnreadable(unreadable);
  return { variables: opened, imagePassword: password };
}

function ownMember(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function credentialsOf(parts: EndpointParts) {
  return parts.model.image.custom?.credentials ?? null;
}

/** The account that a password belongs to: the user name and the registry, which is the first part of an image's name. */
function accountOf(parts: EndpointParts): string {
  const { custom } = parts.model.image;
  return `${custom?.credentials?.username} ${custom?.url.replace(/^\w+:\/\//, '').split('/')[0]}`;
}

function withoutSecrets(parts: EndpointParts): EndpointParts {
  const { secrets, image } = parts.model;
  const names = Object.fromEntries(Object.keys(secrets).map((name) => [name, null]));
  return { ...parts, model: { ...parts.model, secrets: names, image: withoutPassword(image) } };
}

function withoutPassword(image: EndpointImage): EndpointImage {
  if (!image.custom?.credentials) return image;
  const { username } = image.custom.credentials;
  return { custom: { ...image.custom, credentials: { username, password: null } } };
}
