import type { EndpointLog, EndpointLogLine } from '../../contract/endpoints/endpoint-log.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { linesAfter, newestLines, type ReadPage } from '../shared/line-reading.ts';
import { type JsonOption, print, printError, printResult } from '../shared/print.ts';
import { type EndpointContext, endpointOf } from './endpoint-context.ts';

const POLL_MS = 500;

export interface LogOptions extends JsonOption {
  readonly lines: number;
  readonly follow?: boolean;
}

/** `robot-daemon endpoint logs` */
export async function logs(context: EndpointContext, name: string, options: LogOptions): Promise<void> {
  const { client, signal } = context;
  const { namespace, endpoint } = await endpointOf(context, name);
  const params = { namespace, name: endpoint.name };
  const read: ReadPage<EndpointLog> = (query = {}) => client.call('getEndpointLog', { params, query, signal });
  const wait = () => sleepOn(systemClock, POLL_MS, signal).then(() => true);
  const textOf = (lines: readonly EndpointLogLine[]) =>
    lines.map((line) => `${options.json ? JSON.stringify(line) : line.text}\n`).join('');
  try {
    const log = await newestLines(read, options.lines);
    if (!options.follow) return printResult(options, log, textOf(log.lines));
    print(textOf(log.lines));
    for await (const { lines, lost } of linesAfter(read, { logId: log.logId, after: log.last }, wait)) {
      if (lost > 0) printError(`(${lost} lines came too fast to be kept.)`);
      print(textOf(lines));
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
