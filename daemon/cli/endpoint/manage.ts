import { appsUsing } from '../../contract/apps/apps-using.ts';
import type { Endpoint, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { listText } from '../../shared/list-text.ts';
import { ask, Declined, requirePerson } from '../shared/ask.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, printError, printResult } from '../shared/print.ts';
import { endpointOf } from './endpoint-context.ts';

const POLL_MS = 500;

class NotRunning extends DomainError {
  constructor({ name, status: { state, message, errorMessage } }: Endpoint) {
    super(`${name} ${state === 'failed' ? 'failed' : 'is paused'}: ${errorMessage ?? message}`);
  }
}

/** `robot-daemon endpoint wake`: starts a paused, sleeping or failed endpoint, and waits until it answers. */
export async function wake(context: OnDaemon, name: string, options: JsonOption): Promise<void> {
  const { namespace, endpoint } = await endpointOf(context, name);
  const params = { namespace, name: endpoint.name };
  const { client } = context;
  const isDown = ['paused', 'scaledToZero', 'failed'].includes(endpoint.status.state);
  let current = isDown ? await client.call('resumeEndpoint', { params }) : endpoint;
  for (let printed = ''; current.status.state !== 'running'; ) {
    const { state, message } = current.status;
    if (state === 'failed' || state === 'paused') throw new NotRunning(current);
    if (message !== printed) printError(message);
    printed = message;
    await sleepOn(systemClock, POLL_MS, context.signal);
    current = await client.call('getEndpoint', { params });
  }
  printResult(options, current, `${namespace}/${current.name} answers at ${current.status.url}\n`);
}

/** `robot-daemon endpoint pause` */
export async function pause(context: OnDaemon, name: string, options: JsonOption): Promise<void> {
  const { namespace, endpoint } = await endpointOf(context, name);
  const paused = await context.client.call('pauseEndpoint', { params: { namespace, name: endpoint.name } });
  printResult(
    options,
    paused,
    `${namespace}/${paused.name} is paused. To use it again: robot-daemon endpoint wake ${name}\n`,
  );
}

/** `robot-daemon endpoint sleep` */
export async function sleepNow(context: OnDaemon, name: string, options: JsonOption): Promise<void> {
  const { namespace, endpoint } = await endpointOf(context, name);
  const asleep = await context.client.call('scaleEndpointToZero', { params: { namespace, name: endpoint.name } });
  const ofApp =
    asleep.provider.vendor === 'local'
      ? ''
      : ' A request of an app does so only if the price was confirmed when the app started.';
  printResult(options, asleep, `${namespace}/${asleep.name} is asleep. The next request wakes it.${ofApp}\n`);
}

interface RemoveOptions extends JsonOption {
  readonly yes?: boolean;
}

/** `robot-daemon endpoint rm` */
export async function remove(context: OnDaemon, name: string, options: RemoveOptions): Promise<void> {
  const { namespace, endpoint } = await endpointOf(context, name);
  const apps = appsUsing(await context.client.call('listApps'), { namespace, name: endpoint.name });
  if (!options.yes) await confirmed(context, { namespace, endpoint }, apps);
  const removed = await context.client.call('deleteEndpoint', { params: { namespace, name: endpoint.name } });
  const text = `${namespace}/${removed.name} is deleted. The files of its model stay on this machine.${lossText(apps)}\n`;
  printResult(options, removed, text);
}

/** A sentence about the apps that lose an endpoint, after a space; empty: none do. */
function lossText(apps: readonly string[]): string {
  if (apps.length === 0) return '';
  const [lose, page] = apps.length === 1 ? ['loses', 'its page'] : ['lose', 'their pages'];
  return ` ${listText(apps)} ${lose} it: choose another endpoint on ${page} in the dashboard.`;
}

/**
 * @param apps the apps that lose it
 * @throws Declined unless the user types the endpoint's name
 */
async function confirmed(
  { signal }: OnDaemon,
  { namespace, endpoint: { name, model } }: Pick<OwnEndpoint, 'namespace' | 'endpoint'>,
  apps: readonly string[],
): Promise<void> {
  requirePerson('endpoint rm asks before it deletes');
  printError(
    `${namespace}/${name} serves ${model.repository}. Its address stops answering.${lossText(apps)} This cannot be undone.`,
  );
  if ((await ask(`Type ${name} to delete it:`, { signal })) !== name) throw new Declined(`${name} is not deleted.`);
}
