import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { DEFAULT_THRESHOLDS } from '../../contract/compute/scaling-limits.ts';
import { type Balancing, balancingOf } from '../../contract/endpoints/balancing.ts';
import { NO_CHAT_TEMPLATE } from '../../contract/endpoints/chat-template.ts';
import type { Endpoint, EndpointState, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import type { EndpointLog, EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import type { EndpointTraffic } from '../../contract/endpoints/endpoint-traffic.ts';
import { cacheText, generatedText, memoryText, replicaFigures } from '../../contract/endpoints/use-text.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { cardUseText, problemText } from '../shared/graphics-card-text.ts';
import { linesAfter, lostText, newestLines, type ReadPage } from '../shared/line-reading.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, print, printError, printResult, textTable } from '../shared/print.ts';
import { endpointOf } from './endpoint-context.ts';

const PAGE = 100;

/** `robot-daemon endpoint ls` */
export async function list({ client }: OnDaemon, options: JsonOption): Promise<void> {
  const all: OwnEndpoint[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const listing = await client.call('listOwnEndpoints', { query: { page, limit: PAGE } });
    all.push(...listing.endpoints);
    pages = listing.pages;
  }
  const rows = all.map(({ namespace, endpoint: { name, model, status }, traffic }) => [
    `${namespace}/${name}`,
    stateWord(status.state),
    `${model.repository} (${model.task})`,
    String(traffic.requests),
    status.url,
  ]);
  const text =
    rows.length === 0 ? 'No endpoints.\n' : textTable(['NAME', 'STATE', 'MODEL', 'REQUESTS', 'ADDRESS'], rows);
  printResult(options, all, text);
}

/** `robot-daemon endpoint show` */
export async function show(context: OnDaemon, name: string, options: JsonOption): Promise<void> {
  const found = await endpointOf(context, name);
  printResult(options, found, described(found));
}

/** The state in the words of the dashboard; `--json` has the interface's own. */
function stateWord(state: EndpointState): string {
  if (state === 'scaledToZero') return 'asleep';
  if (state === 'initializing') return 'starting';
  return state === 'updateFailed' ? 'update failed' : state;
}

function described(own: OwnEndpoint): string {
  const { namespace, endpoint, report, traffic, memory } = own;
  const { status, model, type, compute } = endpoint;
  const rows = {
    state: `${stateWord(status.state)}: ${status.errorMessage ?? status.message}`,
    model: `${model.repository} (${model.task})`,
    address: status.url,
    'OpenAI clients': `${status.url}/v1`,
    access: type,
    'web pages': pagesText(endpoint),
    chats: report.lacksChatTemplate ? NO_CHAT_TEMPLATE : null,
    program: report.runtime ?? 'none yet',
    'runs on': placeText(own),
    replicas: report.replicas.map(replicaText).join(', ') || 'none',
    scaling: scalingText(compute.scaling),
    load: report.scaling,
    memory: memoryText(memory),
    requests: trafficText(traffic),
    generates: generatedText(traffic),
    balancing: balancingText(endpoint),
    cache: endpoint.cacheHttpResponses ? `on: ${cacheText(traffic) ?? 'no request'} answered` : 'off',
    created: `${status.createdAt} by ${status.createdBy.name}`,
  };
  const lines = Object.entries(rows).map(([name, text]) => (text === null ? '' : `  ${name.padEnd(14)} ${text}\n`));
  const unused = report.unused.length === 0 ? '' : `  Without effect on this machine: ${report.unused.join(', ')}\n`;
  return `${namespace}/${endpoint.name}\n${lines.join('')}${unused}`;
}

/** Where its replicas compute; null: none runs, or its program does not tell. */
export function placeText({ endpoint, report }: Pick<OwnEndpoint, 'endpoint' | 'report'>): string | null {
  const { replicas, notOnCard } = report;
  if (notOnCard !== null) {
    const when = replicas.length === 0 ? ', when it started last' : '';
    return `the processor instead of the graphics card${when}. ${problemText(notOnCard)}`;
  }
  const uses = replicas.flatMap(({ cardUse }) => cardUse ?? []);
  if (uses.length > 0) return uses.map((use) => `${use.card}: ${cardUseText(use)}`).join('; ');
  const runs = replicas.some(({ state }) => state !== 'starting');
  return runs && endpoint.compute.accelerator === 'cpu' ? 'the processor' : null;
}

function replicaText(replica: ReplicaReport): string {
  const name = replica.pid === null ? `container ${replica.container?.slice(0, 12)}` : `process ${replica.pid}`;
  return `${name} (${[replica.state, ...replicaFigures(replica)].filter(Boolean).join(', ')})`;
}

function trafficText({ requests, failed, inFlight, latencyMs, firstByteMs, tokensPerSecond }: EndpointTraffic): string {
  const median = (name: string, ms: { p50: number } | null) => (ms ? `${name} ${Math.round(ms.p50)} ms` : null);
  return [
    `${requests} since the daemon started, ${failed} failed, ${inFlight} under way`,
    median('median', latencyMs),
    median('first byte', firstByteMs),
    tokensPerSecond === null ? null : `${tokensPerSecond.toFixed(1)} tokens/s`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

const POLL_MS = 500;

interface LogOptions extends JsonOption {
  readonly lines: number;
  readonly follow?: boolean;
}

/** `robot-daemon endpoint logs` */
export async function logs(context: OnDaemon, name: string, options: LogOptions): Promise<void> {
  const { client, signal } = context;
  const { namespace, endpoint } = await endpointOf(context, name);
  const params = { namespace, name: endpoint.name };
  const read: ReadPage<EndpointLog> = (query = {}) => client.call('getEndpointLog', { params, query, signal });
  const wait = () => sleepOn(systemClock, POLL_MS, signal).then(() => true);
  const textOf = (lines: readonly EndpointLogLine[]) =>
    lines.map((line) => `${options.json ? JSON.stringify(line) : line.text}\n`).join('');
  const log = await newestLines(read, options.lines);
  if (!options.follow) return printResult(options, log, textOf(log.lines));
  print(textOf(log.lines));
  for await (const { lines, lost } of linesAfter(read, { logId: log.logId, after: log.last }, wait)) {
    if (lost > 0) printError(lostText(lost));
    print(textOf(lines));
  }
}

/** `1 to 3, another one above 1.5 requests each, asleep after 15 min without requests`. */
export function scalingText({ minReplica, maxReplica, scaleToZeroTimeout, measure }: Scaling): string {
  const { pendingRequests, hardwareUsage } = DEFAULT_THRESHOLDS;
  const another =
    measure?.hardwareUsage === undefined
      ? `another one above ${measure?.pendingRequests ?? pendingRequests} requests each`
      : `another one above ${measure.hardwareUsage ?? hardwareUsage} % of the hardware`;
  return [
    minReplica === maxReplica ? `always ${maxReplica}` : `${minReplica} to ${maxReplica}`,
    maxReplica > Math.max(1, minReplica) ? another : null,
    scaleToZeroTimeout === null ? null : `asleep after ${scaleToZeroTimeout} min without requests`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

const balancingTexts: Readonly<Record<Balancing, string>> = {
  random: 'to any replica',
  least_connections: 'to the replica with the fewest',
  sticky: 'to the same replica for each caller',
  mcp: 'to the same replica for each MCP session',
  'mcp-stateless': 'to any replica, as MCP without sessions',
};

/** The replica that requests go to. */
export const balancingText = (endpoint: Endpoint): string => balancingTexts[balancingOf(endpoint)];

/** The web pages that may use an endpoint. */
export const pagesText = ({ allowedOrigins }: Pick<Endpoint, 'allowedOrigins'>): string =>
  allowedOrigins.length === 0 ? "none but the dashboard's" : allowedOrigins.join(', ');
