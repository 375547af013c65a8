import type { EndpointRecord } from '../records/endpoint-record.ts';

/** The settings that an endpoint's processes depend on, as one text: a change of the others needs no new process. */
export function processSettings({ endpoint, sealed }: EndpointRecord): string {
  const { model, compute, experimentalFeatures } = endpoint;
  const { fromCatalog: _, ...served } = model;
  const { skipRepoDownload } = experimentalFeatures;
  return JSON.stringify([served, sealed.variables, skipRepoDownload, compute.accelerator]);
}
