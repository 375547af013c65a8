import type { EndpointEvent } from './endpoint-lifecycle.ts';

/**
 * Whether an endpoint was in a container when it was ready last.
 * @param before the same before the event
 * @param isReady whether it is ready after the event
 */
export function servedInContainer(before: boolean, event: EndpointEvent, isReady: boolean): boolean {
  const isReport = event.type === 'replicas' || event.type === 'update-done';
  return isReady && isReport ? (event.inContainer ?? before) : before;
}
