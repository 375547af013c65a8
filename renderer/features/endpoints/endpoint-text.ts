import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type {
  Endpoint,
  EndpointState,
  EndpointType,
  OwnEndpoint,
} from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport, ReplicaReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import type { EndpointTraffic } from '../../../daemon/contract/endpoints/endpoint-traffic.ts';
import { counted, duration } from '../../parts/format.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import type { EndpointCommand } from '../../slices/models/endpoints-slice.ts';

const states: Readonly<Record<EndpointState, StateText>> = {
  pending: { word: 'pending', tone: 'busy' },
  initializing: { word: 'starting', tone: 'busy' },
  updating: { word: 'updating', tone: 'busy' },
  updateFailed: { word: 'update failed', tone: 'failed' },
  running: { word: 'running', tone: 'running' },
  paused: { word: 'paused', tone: 'idle' },
  failed: { word: 'failed', tone: 'failed' },
  scaledToZero: { word: 'asleep', tone: 'asleep' },
};

/** The state of an endpoint; one that starts to end its sleep is waking. */
export function endpointStateText({ endpoint, report }: OwnEndpoint): StateText {
  const text = states[endpoint.status.state];
  return report.isWaking && endpoint.status.state === 'initializing' ? { ...text, word: 'waking' } : text;
}

const WAKES = 'The next request wakes it.';
/** Of an endpoint that may cost money: an app may wake it only after its user has confirmed the price. */
const WAKES_ELSEWHERE =
  'The next request wakes it; that of an app only if its price was confirmed when the app started.';

/** The status in a sentence, beside the word of the state: without a first sentence that only repeats it; empty: none is left. */
export function endpointMessage(ownEndpoint: OwnEndpoint): string {
  const { status, provider } = ownEndpoint.endpoint;
  // The failure of an update has its note; the message says what serves requests meanwhile.
  const own = status.state === 'updateFailed' ? status.message : (status.errorMessage ?? status.message);
  if (status.state === 'running' && own === 'Ready.') return '';
  const message = provider.vendor === 'local' ? own : own.replace(WAKES, WAKES_ELSEWHERE);
  const { word } = endpointStateText(ownEndpoint);
  const [first = '', ...rest] = message.split('. ');
  return rest.length > 0 && first.toLowerCase().replace(/^the /, '') === word ? rest.join('. ') : message;
}

/** How far the step of a start is that reports no bytes: `Download the image: 3 of 7 layers`; null: nothing is known. */
export function stepText({ progress }: EndpointReport): string | null {
  const step = progress?.steps.find(({ state }) => state === 'running');
  return step && progress?.detail ? `${step.title}: ${progress.detail}` : null;
}

/** The text of a link to the page of an endpoint: where it leads, and what for. */
export const endpointLinkText = ({ endpoint: { name, status } }: OwnEndpoint): string =>
  status.state === 'failed' || status.state === 'updateFailed'
    ? `See what happened to ${name}`
    : `Open the page of ${name}`;

/** The provider, and the instance type (null on this machine). */
export function placementText({ provider, compute }: Endpoint): readonly [string, string | null] {
  if (provider.vendor === 'local') return ['this machine', null];
  return [`${provider.vendor} ${provider.region}`, `${compute.instanceType} ${compute.instanceSize}`];
}

const commands: Readonly<Record<EndpointCommand, string>> = {
  resume: 'Resume',
  pause: 'Pause',
  sleep: 'Sleep',
  delete: 'Delete…',
};

/** The name of a command's button. One that sleeps is woken, as every text says. */
export function commandText(command: EndpointCommand, { status }: Endpoint): string {
  return command === 'resume' && status.state === 'scaledToZero' ? 'Wake' : commands[command];
}

const commandsOf: Partial<Record<EndpointState, readonly EndpointCommand[]>> = {
  paused: ['resume'],
  scaledToZero: ['resume', 'pause'],
  failed: ['resume', 'pause'],
  running: ['pause', 'sleep'],
  updateFailed: ['pause', 'sleep'],
};

/** The commands that an endpoint's state allows, except delete. */
export const commandsFor = ({ status }: Endpoint): readonly EndpointCommand[] => commandsOf[status.state] ?? ['pause'];

/** Why a request gets no answer now. In the other states it is answered, after a wake-up where one is needed. */
export const answerText: Partial<Record<EndpointState, string>> = {
  pending: 'Not ready yet: a request waits for it.',
  initializing: 'Not ready yet: a request waits for it.',
  paused: 'Does not answer while it is paused.',
  failed: 'Does not answer.',
};

/** How a caller proves that it may use an endpoint. */
export const accessText: Readonly<Record<EndpointType, string>> = {
  public: 'Needs no token.',
  authenticated: 'Send a token as “Authorization: Bearer …”.',
  private: 'Answers only its creator’s token, and this dashboard on this machine.',
};

/** The program and the processes that serve an endpoint, or when it sleeps; in one line. */
export function activityText({ endpoint, report }: OwnEndpoint): string {
  const { runtime, replicas } = report;
  if (replicas.length > 0) return [runtime, replicasText(replicas), sleepText(endpoint)].filter(Boolean).join(' · ');
  return endpoint.status.state === 'paused' ? 'Uses no memory' : sleepText(endpoint);
}

function replicasText(replicas: readonly ReplicaReport[]): string {
  const memory = replicas.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  const count = replicas.length === 1 ? null : counted(replicas.length, 'replica');
  return [count, memory > 0 ? `${byteText(memory)} of memory` : null].filter(Boolean).join(', ');
}

function sleepText({ compute }: Endpoint): string {
  const { minReplica, scaleToZeroTimeout } = compute.scaling;
  if (minReplica > 0 || scaleToZeroTimeout === null) return 'Never sleeps';
  return `Sleeps after ${scaleToZeroTimeout} min without use`;
}

/** The memory that an endpoint uses and its requests since the daemon's start: `24 MB of memory · 12 requests`. */
export function usageText({ report, traffic }: Pick<OwnEndpoint, 'report' | 'traffic'>): string {
  const memory = report.replicas.length === 0 ? null : replicasText(report.replicas);
  return [memory, traffic.requests === 0 ? null : counted(traffic.requests, 'request')].filter(Boolean).join(' · ');
}

/** The use since the daemon's start: `12 requests, 1 failed · half of them within 340 ms · 41 tokens a second`. */
export function trafficText({ requests, failed, latencyMs, tokensPerSecond }: EndpointTraffic): string {
  if (requests === 0) return 'none since the daemon started';
  const count = `${counted(requests, 'request')}${failed > 0 ? `, ${failed} failed` : ''}`;
  const latency = latencyMs && `half of them within ${duration(latencyMs.p50)}`;
  const speed = tokensPerSecond !== null && `${Math.round(tokensPerSecond)} tokens a second`;
  return [count, latency, speed].filter(Boolean).join(' · ');
}

const unusedText: Readonly<Record<string, string>> = {
  customRouter: 'custom router',
  route: 'route',
  privateService: 'private link',
};

/** One sentence about the settings that have no effect here; null: there are none. */
export function unusedSentence({ unused }: EndpointReport): string | null {
  const others = unused.filter((name) => name !== NO_MAIL);
  const names = others.map((name) => unusedText[name] ?? name).join(', ');
  const sentences = [
    names && `Not used on this machine: ${names}.`,
    others.length < unused.length && 'It sends no mail: no mail server is set up in Settings.',
  ];
  return sentences.filter(Boolean).join(' ') || null;
}

/** The setting that waits for a mail server. */
const NO_MAIL = 'notifications.email';

export const noEndpointsText = 'An endpoint serves a model: deploy one from the catalog.';
export const remoteEndpointsText = "View and change them there; this daemon's own are listed below.";

/** Of an endpoint that was deployed on the graphics card. @param runs whether a replica does now */
export const onProcessorText = (runs: boolean): string =>
  runs
    ? 'It runs on the processor, not on the graphics card.'
    : 'It ran on the processor when it started last, not on the graphics card.';

/** Under the choice of the template that makes a prompt of a chat. */
export const templateHelp = 'Use the format that the model’s page on the hub names.';
