import { namesForPeople } from '../contract/endpoints/endpoint-id.ts';
import type { ModelUser } from '../model-files/model-inventory.ts';
import { modelNeedOf } from './containers/container-of.ts';
import { modelSource } from './description/model-source.ts';
import type { EndpointRecord } from './records/endpoint-record.ts';

/** The endpoints that use model files of the hub, and the files. */
export function modelUsers(records: readonly EndpointRecord[]): ModelUser[] {
  const nameOf = namesForPeople(records);
  return records.map((record) => modelUser(record, nameOf(record))).filter((user) => user !== null);
}

/** @param name of the endpoint, for a person @returns null: it uses none of the hub's */
function modelUser({ endpoint }: Pick<EndpointRecord, 'endpoint'>, name: string): ModelUser | null {
  const { repository, revision } = endpoint.model;
  if (modelNeedOf(endpoint) === 'repository') return { endpoint: name, repository, revision, files: 'all' };
  const source = modelSource(endpoint);
  if (source.source !== 'repository') return null;
  const files = [source.model, source.mmproj, source.draft].filter((path) => path !== null);
  return { endpoint: name, repository, revision, files };
}
