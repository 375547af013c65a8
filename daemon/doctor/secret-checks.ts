import { join } from 'node:path';
import { StoredVariables, VARIABLES_FILE } from '../apps/run/app-variables.ts';
import { RemoteChoice } from '../catalog/remote/remote-choice.ts';
import { namesForPeople } from '../contract/endpoints/endpoint-id.ts';
import { IMAGE_PASSWORD } from '../endpoints/records/endpoint-secrets.ts';
import { StoredToken } from '../hub/hub-token.ts';
import { StoredMail } from '../notifications/mail/mail-record.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { isOfKeyFile, keyFileSecretStore, readKey, SecretUnreadable } from '../shared/files/key-file-secret-store.ts';
import { listText } from '../shared/list-text.ts';
import { broken, byHand, type CheckContext, type Finding } from './check.ts';
import { type RecordedEndpoint, readAppFolders, readEndpointRecords } from './inventory.ts';

/** The encrypted secrets of one file. */
interface SealedSecrets {
  readonly where: string;
  /** "of the app dance" */
  readonly owner: string;
  /** Encrypted, by name. */
  readonly sealed: Readonly<Record<string, string>>;
  readonly how: (names: string) => string;
}

/** Finds a key file that holds no key, and the secrets that cannot be read with the key. Those of a keychain are left out. */
export async function checkSecrets({ paths }: CheckContext): Promise<Finding[]> {
  const key = await readKey(paths.secretKeyFile);
  const findings = key === 'damaged' ? [damagedKey(paths.secretKeyFile)] : [];
  const store = keyFileSecretStore(paths.secretKeyFile);
  for (const { where, owner, sealed, how } of await allSecrets(paths)) {
    const names: string[] = [];
    for (const [name, text] of Object.entries(sealed)) {
      if (!isOfKeyFile(text)) continue;
      const isReadable = await store.decrypt(text).then(
        () => true,
        (error: unknown) => {
          if (error instanceof SecretUnreadable) return false;
          throw error;
        },
      );
      if (!isReadable) names.push(name);
    }
    if (names.length === 0) continue;
    const text = listText(names.sort());
    const what = `The key that encrypted ${text} ${owner} is gone.`;
    findings.push(broken('secrets-unreadable', what, where, byHand(how(text))));
  }
  return findings;
}

/** The numbers of saved secrets that are encrypted with the key file, and by a keychain. */
export interface SecretCounts {
  readonly keyFile: number;
  readonly keychain: number;
}

export async function countSecrets(paths: DataPaths): Promise<SecretCounts> {
  const texts = (await allSecrets(paths)).flatMap(({ sealed }) => Object.values(sealed));
  const keyFile = texts.filter(isOfKeyFile).length;
  return { keyFile, keychain: texts.length - keyFile };
}

/** @param file the path of the key file */
export function secretsText({ keyFile, keychain }: SecretCounts, file: string): string {
  const kept = [
    ...(keychain > 0 ? [`${keychain} by the system's keychain`] : []),
    ...(keyFile > 0 ? [`${keyFile} with the key in ${file}, which only you can read`] : []),
  ];
  return kept.length === 0 ? 'none saved' : `encrypted: ${kept.join(', ')}`;
}

function damagedKey(path: string): Finding {
  const what = 'The file that encrypts secrets holds no key.';
  return broken('secret-key-damaged', what, path, { kind: 'set-aside', path });
}

/** Records that cannot be read have findings of their own. */
async function allSecrets(paths: DataPaths): Promise<SealedSecrets[]> {
  const apps = await Promise.all(
    (await readAppFolders(paths.apps)).map(({ dir, key, pointer }) => ofApp(dir, pointer?.app.name ?? key)),
  );
  const stored = await readEndpointRecords(paths.endpoints);
  const nameOf = namesForPeople(stored.map(({ record }) => record));
  const endpoints = stored.map((each) => ofEndpoint(each, nameOf(each.record)));
  const others = await Promise.all([
    ofHub(paths.hubTokenFile),
    ofCatalog(paths.catalogSourceFile),
    ofMail(paths.mailFile),
  ]);
  return [...apps, ...endpoints, ...others];
}

async function ofApp(dir: string, name: string): Promise<SealedSecrets> {
  const where = join(dir, VARIABLES_FILE);
  const stored = await readJsonFile(where, StoredVariables).catch(() => null);
  const secrets = stored?.variables.filter(({ secret }) => secret) ?? [];
  const sealed = Object.fromEntries(secrets.map((variable) => [variable.name, variable.value]));
  return { where, owner: `of the app ${name}`, sealed, how: (names) => `Set ${names} again: Variables of ${name}.` };
}

function ofEndpoint({ where, record }: RecordedEndpoint, name: string): SealedSecrets {
  const { variables, imagePassword } = record.sealed;
  const sealed = imagePassword === null ? variables : { ...variables, [IMAGE_PASSWORD]: imagePassword };
  return { where, owner: `of the endpoint ${name}`, sealed, how: (names) => `Set ${names} of the endpoint again.` };
}

async function ofHub(where: string): Promise<SealedSecrets> {
  const stored = await readJsonFile(where, StoredToken).catch(() => null);
  const sealed = stored ? { 'the token': stored.sealed } : {};
  return { where, owner: 'of the hub', sealed, how: () => 'Sign in to the hub again.' };
}

async function ofCatalog(where: string): Promise<SealedSecrets> {
  const stored = await readJsonFile(where, RemoteChoice).catch(() => null);
  const sealed = stored?.sealedToken ? { 'the token': stored.sealedToken } : {};
  return { where, owner: 'of the chosen catalog', sealed, how: () => 'Choose the catalog again, with its token.' };
}

async function ofMail(where: string): Promise<SealedSecrets> {
  const stored = await readJsonFile(where, StoredMail).catch(() => null);
  const sealed = stored?.sealedPassword ? { 'the password': stored.sealedPassword } : {};
  return { where, owner: 'of the mail server', sealed, how: () => 'Enter the password again: Settings, Mail.' };
}
