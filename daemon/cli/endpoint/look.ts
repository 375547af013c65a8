import { NO_CHAT_TEMPLATE } from '../../contract/endpoints/chat-template.ts';
import type { EndpointState, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import type { EndpointTraffic } from '../../contract/endpoints/endpoint-traffic.ts';
import { cacheText, memoryText, replicaFigures } from '../../contract/endpoints/use-text.ts';
import { type JsonOption, printResult } from '../shared/print.ts';
import { textTable } from '../shared/text-table.ts';
import { type EndpointContext, endpointOf } from './endpoint-context.ts';
import { balancingText, pagesText, scalingText } from './settings-text.ts';

const PAGE = 100;

/** `robot-daemon endpoint ls` */
export async function list({ client }: EndpointContext, options: JsonOption): Promise<void> {
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
export async function show(context: EndpointContext, name: string, options: JsonOption): Promise<void> {
  const found = await endpointOf(context, name);
  printResult(options, found, described(found));
}

/** The state in the words of the dashboard; `--json` has the interface's own. */
export function stateWord(state: EndpointState): string {
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
    replicas: report.replicas.map(replicaText).join(', ') || 'none',
    scaling: scalingText(compute.scaling),
    load: report.scaling,
    memory: memoryText(memory),
    requests: trafficText(traffic),
    balancing: balancingText(endpoint),
    cache: endpoint.cacheHttpResponses ? `on: ${cacheText(traffic) ?? 'no request'} answered` : 'off',
    created: `${status.createdAt} by ${status.createdBy.name}`,
  };
  const lines = Object.entries(rows).map(([name, text]) => (text === null ? '' : `  ${name.padEnd(14)} ${text}\n`));
  const unused = report.unused.length === 0 ? '' : `  Without effect on this machine: ${report.unused.join(', ')}\n`;
  return `${namespace}/${endpoint.name}\n${lines.join('')}${unused}`;
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
