import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The namespace of a stored endpoint, read without a daemon; null: there is none of that name, or it cannot be read. */
export async function namespaceOnDisk(folder: string, name: string): Promise<string | null> {
  try {
    const { namespace } = JSON.parse(await readFile(join(folder, `endpoint-${name}.json`), 'utf8')) as {
      readonly namespace?: unknown;
    };
    return typeof namespace === 'string' ? namespace : null;
  } catch {
    return null;
  }
}
