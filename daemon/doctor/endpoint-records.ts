import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { readJsonFile } from '../shared/files/json-file.ts';

/** An endpoint that can be read, and its file. */
export interface RecordedEndpoint {
  readonly where: string;
  readonly record: EndpointRecord;
}

/** The endpoints of a data folder that can be read; the others have findings of their own. Never rejects. */
export async function readEndpointRecords(folder: string): Promise<RecordedEndpoint[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const read = names.map(async (name): Promise<RecordedEndpoint[]> => {
    const where = join(folder, name);
    const record = await readJsonFile(where, EndpointRecord).catch(() => null);
    return record === null ? [] : [{ where, record }];
  });
  return (await Promise.all(read)).flat();
}
