import type { EndpointParts } from './endpoint-parts.ts';

/** The default, and those that differ from it in no promise: each request goes to the replica with the fewest. */
const USUAL: readonly (string | null)[] = [null, 'random', 'least_connections'];

/** Settings of an endpoint that this machine cannot honour, and whether an endpoint has them. */
const unused: readonly (readonly [name: string, isSet: (parts: EndpointParts) => boolean])[] = [
  ['customRouter', ({ customRouter }) => customRouter !== null],
  ['route', ({ route }) => route !== null],
  ['privateService', ({ privateService }) => privateService !== null],
  ['maxReplica', ({ compute: { scaling } }) => scaling.maxReplica > Math.max(1, scaling.minReplica)],
  ['measure', ({ compute }) => compute.scaling.measure !== null],
  ['loadBalancer', ({ experimentalFeatures }) => !USUAL.includes(experimentalFeatures.loadBalancer)],
  ['mcpLb', ({ experimentalFeatures }) => experimentalFeatures.mcpLb !== null],
  ['cacheHttpResponses', ({ cacheHttpResponses }) => cacheHttpResponses],
  ['notifications', ({ notifications }) => notifications.email || notifications.push],
];

/** The settings of an endpoint that have no effect on this machine, by their names in the endpoint. */
export function unusedSettings(parts: EndpointParts): string[] {
  return unused.flatMap(([name, isSet]) => (isSet(parts) ? [name] : []));
}

/** One sentence about unused settings; null: all have an effect. */
export function unusedSettingsText(parts: EndpointParts): string | null {
  const names = unusedSettings(parts);
  return names.length === 0 ? null : `Not used on this machine: ${names.join(', ')}.`;
}
