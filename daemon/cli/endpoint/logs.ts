import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';
import { BadArguments } from '../shared/bad-arguments.ts';
import { print, printError } from '../shared/print.ts';
import { clientOf, type EndpointCommand, endpointOf, say } from './endpoint-command.ts';
import { linesAfter, newestLines, type ReadPage } from './log-reading.ts';

const POLL_MS = 500;
const DEFAULT_LINES = 1_000;

/** `robot-daemon endpoint logs` */
export const logs: EndpointCommand = async (context) => {
  const { given, signal } = context;
  const most = mostLines(given.values['lines']);
  const { namespace, endpoint } = await endpointOf(context);
  const params = { namespace, name: endpoint.name };
  const client = clientOf(context);
  const read: ReadPage = (query = {}) => client.call('getEndpointLog', { params, query, signal });
  const wait = () => sleep(POLL_MS, undefined, { signal });
  const asJson = given.switches.has('json');
  const textOf = (lines: readonly EndpointLogLine[]) =>
    lines.map((line) => `${asJson ? JSON.stringify(line) : line.text}\n`).join('');
  try {
    const log = await newestLines(read, most);
    if (!given.switches.has('follow')) return say(context, log, textOf(log.lines));
    print(textOf(log.lines));
    for await (const { lines, lost } of linesAfter(read, { logId: log.logId, after: log.last }, wait)) {
      if (lost > 0) printError(`(${lost} lines came too fast to be kept.)`);
      print(textOf(lines));
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/** @throws BadArguments */
function mostLines(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadArguments('--lines needs a whole number, 0 or more.');
}
