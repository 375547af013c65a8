import type { ModelUser } from '../../model-files/model-users.ts';
import { modelNeedOf } from '../containers/variants/container-of.ts';
import { modelSource } from '../description/model-source.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';

/** The model files that an endpoint uses; null: none of the hub's. */
export function modelUser({ endpoint }: Pick<EndpointRecord, 'endpoint'>): ModelUser | null {
  const { name, model } = endpoint;
  const { repository, revision } = model;
  if (modelNeedOf(endpoint) === 'repository') return { endpoint: name, repository, revision, files: 'all' };
  const source = modelSource(endpoint);
  if (source.source !== 'repository') return null;
  const files = [source.model, source.mmproj, source.draft].filter((path) => path !== null);
  return { endpoint: name, repository, revision, files };
}
