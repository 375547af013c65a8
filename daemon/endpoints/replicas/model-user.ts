import type { ModelUser } from '../../model-files/model-users.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import { wantedModel } from './wanted-model.ts';

/** The model files that an endpoint uses; null: none of the hub's. */
export function modelUser({ endpoint }: Pick<EndpointRecord, 'endpoint'>): ModelUser | null {
  const wanted = wantedModel(endpoint);
  if (wanted.source !== 'repository') return null;
  const { repository, revision, model, mmproj, draft } = wanted;
  const files = [model, mmproj, draft].filter((path) => path !== null);
  return { endpoint: endpoint.name, repository, revision, files };
}
