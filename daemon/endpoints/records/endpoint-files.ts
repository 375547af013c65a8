import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { pathExists } from '../../shared/async/succeeds.ts';
import { targetOfDraft } from '../../shared/files/atomic-file.ts';

/** Neither a name nor a namespace has a dot: none can be read as a part of the other. */
const FILE = /^endpoint-([a-z0-9-]{1,64})\.([a-z0-9-]{1,32})\.json$/;
/** Of earlier versions, where a name was unique among all namespaces. */
const OLDER_FILE = /^endpoint-([a-z0-9-]{1,32})\.json$/;

/** The name of an endpoint's file. The prefix keeps it from being one that a system reserves, such as `con`. */
export const fileOf = ({ namespace, name }: EndpointRef): string => `endpoint-${namespace}.${name}.json`;

/** The name of the file in which earlier versions stored an endpoint of any namespace. */
export const olderFileOf = (name: string): string => `endpoint-${name}.json`;

/** The endpoint that a file of that name is for; null: it is none of an endpoint, or of an earlier version. */
export function endpointInFile(file: string): EndpointRef | null {
  const [, namespace, name] = FILE.exec(file) ?? [];
  return namespace === undefined || name === undefined ? null : { namespace, name };
}

/** The name of the endpoint that an earlier version stored in a file of that name; null: it is none. */
export const nameInOlderFile = (file: string): string | null => OLDER_FILE.exec(file)?.[1] ?? null;

/** Whether a file is a draft of an endpoint's, of a process that was killed while it wrote. */
export function isDraft(file: string): boolean {
  const target = targetOfDraft(file);
  return target !== null && (endpointInFile(target) !== null || nameInOlderFile(target) !== null);
}

/** Whether an endpoint is stored in a folder, read without a daemon. Never rejects. */
export async function isStored(folder: string, endpoint: EndpointRef): Promise<boolean> {
  return (
    (await pathExists(join(folder, fileOf(endpoint)))) ||
    (await olderNamespace(folder, endpoint.name)) === endpoint.namespace
  );
}

/** The namespace in the file that an earlier version made for an endpoint of that name; null: there is none. */
export async function olderNamespace(folder: string, name: string): Promise<unknown> {
  try {
    const record = JSON.parse(await readFile(join(folder, olderFileOf(name)), 'utf8')) as {
      readonly namespace?: unknown;
    };
    return record.namespace;
  } catch {
    return null;
  }
}
