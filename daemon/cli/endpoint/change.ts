import type { ScalingMeasure } from '../../contract/compute/endpoint-compute.ts';
import { type Balancing, balancingChange } from '../../contract/endpoints/balancing.ts';
import type { Endpoint, EndpointType } from '../../contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../../contract/endpoints/endpoint-request.ts';
import { BadArguments } from '../shared/errors.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, printResult } from '../shared/print.ts';
import { endpointOf } from './endpoint-context.ts';
import { balancingText, pagesText, scalingText } from './look.ts';

interface ChangeOptions extends JsonOption {
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** Minutes. */
  readonly sleepAfter?: number;
  readonly measure?: 'requests' | 'hardware';
  /** Requests of a replica, or percent. */
  readonly threshold?: number;
  readonly balance?: Balancing;
  readonly cache?: 'on' | 'off';
  readonly access?: EndpointType;
  /** Origins, separated by commas; empty: none. */
  readonly pages?: string;
}

/** `robot-daemon endpoint set`: changes settings that need no restart. */
export async function change(context: OnDaemon, name: string, options: ChangeOptions): Promise<void> {
  const { namespace, endpoint } = await endpointOf(context, name);
  const body = changeOf(options, endpoint);
  if (Object.keys(body).length === 0) {
    throw new BadArguments('endpoint set needs a setting, such as --max-replicas 2. "endpoint show" prints them.');
  }
  const params = { namespace, name: endpoint.name };
  const changed = await context.client.call('updateEndpoint', { params, body });
  const text = `replicas: ${scalingText(changed.compute.scaling)}; requests go ${balancingText(changed)}; ${cacheText(changed)}; web pages: ${pagesText(changed)}`;
  printResult(options, changed, `${namespace}/${changed.name} is ${changed.type}; ${text}.\n`);
}

/** The change that options ask for; empty: none. @throws BadArguments for a threshold above 100 percent */
export function changeOf(options: ChangeOptions, { compute }: Pick<Endpoint, 'compute'>): EndpointChange {
  const { minReplicas, maxReplicas, sleepAfter, balance, cache, access, pages } = options;
  const measure = measureOf(options, compute.scaling.measure);
  const scaling = {
    ...(minReplicas !== undefined && { minReplica: minReplicas }),
    ...(maxReplicas !== undefined && { maxReplica: maxReplicas }),
    ...(sleepAfter !== undefined && { scaleToZeroTimeout: sleepAfter }),
    ...(measure && { measure }),
  };
  return {
    ...(access && { type: access }),
    ...(Object.keys(scaling).length > 0 && { compute: { scaling } }),
    ...(balance && balancingChange(balance)),
    ...(cache && { cacheHttpResponses: cache === 'on' }),
    ...(pages !== undefined && { allowedOrigins: originsIn(pages) }),
  };
}

function originsIn(text: string): string[] {
  return text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
}

/** A threshold alone is one of the measure that the endpoint has; without one, that of requests. */
function measureOf({ measure, threshold }: ChangeOptions, before: ScalingMeasure | null): ScalingMeasure | null {
  if (measure === undefined && threshold === undefined) return null;
  const isHardware = measure === undefined ? before?.hardwareUsage !== undefined : measure === 'hardware';
  if (!isHardware) return { pendingRequests: threshold ?? null };
  if (threshold !== undefined && threshold > 100) {
    throw new BadArguments('--threshold needs a percentage from 0 to 100 with the measure of the hardware.');
  }
  return { hardwareUsage: threshold ?? null };
}

const cacheText = ({ cacheHttpResponses }: Endpoint): string =>
  cacheHttpResponses ? 'answers are kept' : 'answers are not kept';
