import { byteText } from '../common/byte-text.ts';
import type { EndpointMemory } from './endpoint.ts';
import type { ReplicaReport } from './endpoint-report.ts';
import type { EndpointTraffic } from './endpoint-traffic.ts';

/** The figures of a replica: its requests, its memory, its processor time; empty: unknown, or it does not serve yet. */
export function replicaFigures({ state, requests, memoryBytes, cpuPercent }: ReplicaReport): readonly string[] {
  return [
    state === 'starting' ? '' : requestsText(requests),
    memoryBytes === null ? '' : byteText(memoryBytes),
    cpuPercent === null ? '' : processorText(cpuPercent),
  ];
}

/** `87 % of a processor`, `1.9 processors`. */
function processorText(cpuPercent: number): string {
  const percent = Math.round(cpuPercent);
  return percent < 100 ? `${percent} % of a processor` : `${(cpuPercent / 100).toFixed(1)} processors`;
}

/** The memory of one replica, as measured and as estimated; null: neither is known. */
export function memoryText({ estimatedBytes, usedBytes }: EndpointMemory): string | null {
  if (usedBytes === null) return estimatedBytes === null ? null : `an estimated ${byteText(estimatedBytes)}`;
  const used = `${byteText(usedBytes)} at most so far`;
  return estimatedBytes === null ? used : `${used}, an estimated ${byteText(estimatedBytes)}`;
}

/** The share of the requests since the daemon's start that the cache answered: `1,200 of 4,000 requests`; null: none. */
export function cacheText({ cacheHits, requests }: EndpointTraffic): string | null {
  return cacheHits === 0 ? null : `${cacheHits.toLocaleString()} of ${requestsText(requests)}`;
}

/** `41.3 tokens a second in the last minute, 38.0 on average`; null: it generated none yet. */
export function generatedText({ generatedPerSecond }: Pick<EndpointTraffic, 'generatedPerSecond'>): string | null {
  const { now, average } = generatedPerSecond;
  if (now === null) return average === null ? null : `${average.toFixed(1)} tokens a second on average`;
  const inAll = average === null ? '' : `, ${average.toFixed(1)} on average`;
  return `${now.toFixed(1)} tokens a second in the last minute${inAll}`;
}

const requestsText = (count: number): string => `${count.toLocaleString()} request${count === 1 ? '' : 's'}`;
