import * as z from 'zod';
import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import type { EndpointParts } from './endpoint-parts.ts';

/** The encrypted secrets of an endpoint, as they are stored. */
export const SealedSecrets = z.strictObject({
  /** By the names of their environment variables. */
  variables: z.record(z.string(), z.string()),
  /** Of the account that its image is pulled with; null: there is none. */
  imagePassword: z.string().nullable(),
});
export type SealedSecrets = z.infer<typeof SealedSecrets>;

export const noSecrets: SealedSecrets = { variables: {}, imagePassword: null };

/** What its container is given. */
export interface OpenSecrets {
  readonly variables: Readonly<Record<string, string>>;
  readonly imagePassword: string | null;
}

/** The parts without a secret in them, and beside them the secrets, encrypted. */
export interface Sealed {
  readonly parts: EndpointParts;
  readonly sealed: SealedSecrets;
}

/**
 * Takes the secrets out. One that is null keeps the value that was sealed before under its name; the password of an image
 * also asks for the user name and the registry to be the same, so that no other registry is sent it.
 */
export async function seal(parts: EndpointParts, before: Sealed | null, store: SecretStore): Promise<Sealed> {
  const kept = before?.sealed ?? noSecrets;
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parts.model.secrets)) {
    const sealed = value === null ? ownMember(kept.variables, name) : await store.encrypt(value);
    if (sealed !== undefined) variables[name] = sealed;
  }
  const credentials = credentialsOf(parts);
  const isSameAccount = credentials !== null && before !== null && accountOf(parts) === accountOf(before.parts);
  const password = credentials?.password ?? null;
  return {
    parts: withoutSecrets(parts),
    sealed: {
      variables,
      imagePassword: password === null ? (isSameAccount ? kept.imagePassword : null) : await store.encrypt(password),
    },
  };
}

/** @throws SecretUnreadable */
export async function unseal({ variables, imagePassword }: SealedSecrets, store: SecretStore): Promise<OpenSecrets> {
  const opened: Record<string, string> = {};
  for (const [name, sealed] of Object.entries(variables)) opened[name] = await store.decrypt(sealed);
  return { variables: opened, imagePassword: imagePassword === null ? null : await store.decrypt(imagePassword) };
}

function ownMember(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function credentialsOf(parts: EndpointParts) {
  return parts.model.image.custom?.credentials ?? null;
}

/** Whose password it is, and where: user name and the registry, which is what an image's name begins with. */
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
