import type { EndpointRef } from '../endpoints/endpoint.ts';
import type { InstalledApp } from './apps.ts';
import type { AssignedNeed } from './needs.ts';

/** The names of the apps that an endpoint is assigned to. Has no schemas, so that pages can load it. */
export function appsUsing(
  apps: readonly Pick<InstalledApp, 'name' | 'needs'>[],
  { namespace, name }: EndpointRef,
): string[] {
  const uses = ({ endpoint }: AssignedNeed) => endpoint?.namespace === namespace && endpoint.name === name;
  return apps.filter(({ needs }) => needs.some(uses)).map((app) => app.name);
}
