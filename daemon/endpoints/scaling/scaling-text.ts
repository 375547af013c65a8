import { neededReplicas, type ScalingSituation } from './scaling-decision.ts';
import type { LoadMeasure } from './scaling-limits.ts';

/** Why an endpoint has as many replicas as it has; null: its settings allow only one number. */
export function scalingText(situation: ScalingSituation): string | null {
  const { limits, measure, count, room, canMeasure, recent, highest, blocked } = situation;
  if (blocked !== null) return `No other replica is started for five minutes, because one failed. ${blocked}`;
  if (limits.min === limits.max) return null;
  const replicas = count === 1 ? '1 replica' : `${count} replicas`;
  if (!canMeasure) return `${replicas}: the use of the hardware cannot be measured here.`;
  if (recent === null) return `${replicas}: the load is not known yet.`;
  const load = loadText(recent, measure);
  const limit = limitText(measure);
  if (neededReplicas(recent, measure.threshold) > count) {
    return `${replicas}${mostText(count === limits.max, room)}: ${load}, more than ${limit}.`;
  }
  if (count > limits.min && neededReplicas(recent, measure.threshold) < count) {
    const past = highest === null ? 'it may have been higher' : `it was up to ${number(highest, measure)}`;
    return `${replicas}: ${load}; ${past} in the last five minutes.`;
  }
  return `${replicas}: ${load}, at most ${limit}.`;
}

/** Why there are no more replicas, which the load needs. */
function mostText(isMost: boolean, room: number | null): string {
  if (isMost) return ', the most that it may have';
  return room === 0 ? ', the most that the free memory has room for' : '';
}

function loadText(load: number, measure: LoadMeasure): string {
  const amount = number(load, measure);
  if (measure.of === 'hardwareUsage') return `${amount} of the hardware in use`;
  return amount === '1' ? '1 request at a time' : `${amount} requests at a time`;
}

const limitText = (measure: LoadMeasure) => `${number(measure.threshold, measure)} for each replica`;

function number(value: number, { of }: LoadMeasure): string {
  return of === 'pendingRequests' ? String(Number(value.toFixed(1))) : `${Math.round(value)} %`;
}
