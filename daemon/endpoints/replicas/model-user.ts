import type { ModelUser } from '../../model-files/model-users.ts';
import { modelSource } from '../preparation/model-source.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';

/** The model files that an endpoint uses; null: none of the hub's. */
export function modelUser({ endpoint }: Pick<EndpointRecord, 'endpoint'>): ModelUser | null {
  const source = modelSource(endpoint);
  if (source.source !== 'repository') return null;
  const { repository, revision, model, mmproj, draft } = source;
  const files = [model, mmproj, draft].filter((path) => path !== null);
  return { endpoint: endpoint.name, repository, revision, files };
}
