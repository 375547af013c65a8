import type { DaemonClient } from '../client/calls.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { exitCodes } from './shared/errors.ts';
import { cardsText } from './shared/graphics-card-text.ts';
import { neededDaemon, onDaemon, withToken } from './shared/on-daemon.ts';
import { type JsonOption, printResult } from './shared/print.ts';

/** `robot-daemon graphics-card ls` */
export function listCards(paths: DataPaths, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client, signal }) => {
    const report = await client.call('listGraphicsCards', { signal });
    printResult(options, report, cardsText(report));
  });
}

/** `robot-daemon graphics-card on` */
export async function switchOn(paths: DataPaths, options: JsonOption): Promise<void> {
  const report = await changed(paths, (client) => client.call('switchGraphicsCards', { body: { isOn: true } }));
  const isUsable = report.problem === null && report.cards.length > 0;
  const result = isUsable ? 'Models use the graphics card from their next start.' : 'The graphics card is switched on.';
  printResult(options, report, `${result}\n${cardsText(report)}`);
}

/** `robot-daemon graphics-card off` */
export async function switchOff(paths: DataPaths, options: JsonOption): Promise<void> {
  const report = await changed(paths, (client) => client.call('switchGraphicsCards', { body: { isOn: false } }));
  const stay = report.cards.some(({ users }) => users.length > 0)
    ? ' Those that are on it now stay until they end.'
    : '';
  const result = 'Models run on the processor from their next start; endpoints that need the graphics card fail.';
  printResult(options, report, `${result}${stay}\n`);
}

/** `robot-daemon graphics-card try-again` */
export async function tryAgain(paths: DataPaths, options: JsonOption): Promise<void> {
  const report = await changed(paths, (client) => client.call('tryGraphicsCardsAgain'));
  printResult(options, report, cardsText(report));
  if (report.problem !== null || report.cards.length === 0) process.exitCode = exitCodes.failed;
}

async function changed<T>(paths: DataPaths, change: (client: DaemonClient) => Promise<T>): Promise<T> {
  const { url } = await neededDaemon(paths, 'Start it: it looks after the graphics cards.');
  return withToken(paths, url, 'graphics-card', ({ client }) => change(client));
}
