import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { appsUsing } from '../../contract/apps/apps-using.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { listText } from '../../shared/list-text.ts';
import { BadArguments } from '../shared/bad-arguments.ts';
import { printError } from '../shared/print.ts';
import { type CommandContext, clientOf, type EndpointCommand, endpointOf, say } from './endpoint-command.ts';

const POLL_MS = 500;

class NotRunning extends DomainError {
  constructor({ name, status: { state, message, errorMessage } }: Endpoint) {
    super(`${name} ${state === 'failed' ? 'failed' : 'is paused'}: ${errorMessage ?? message}`);
  }
}

class NotDeleted extends DomainError {
  constructor(name: string) {
    super(`${name} is not deleted.`);
  }
}

/** `robot-daemon endpoint wake`: starts a paused, sleeping or failed endpoint, and waits until it answers. */
export const wake: EndpointCommand = async (context) => {
  const { namespace, endpoint } = await endpointOf(context);
  const params = { namespace, name: endpoint.name };
  const client = clientOf(context);
  const isDown = ['paused', 'scaledToZero', 'failed'].includes(endpoint.status.state);
  let current = isDown ? await client.call('resumeEndpoint', { params }) : endpoint;
  for (let told = ''; current.status.state !== 'running'; ) {
    const { state, message } = current.status;
    if (state === 'failed' || state === 'paused') throw new NotRunning(current);
    if (message !== told) printError(message);
    told = message;
    await sleep(POLL_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    current = await client.call('getEndpoint', { params });
  }
  say(context, current, `${namespace}/${current.name} answers at ${current.status.url}\n`);
};

/** `robot-daemon endpoint pause` */
export const pause: EndpointCommand = async (context) => {
  const { namespace, endpoint } = await endpointOf(context);
  const paused = await clientOf(context).call('pauseEndpoint', { params: { namespace, name: endpoint.name } });
  say(
    context,
    paused,
    `${namespace}/${paused.name} is paused. To use it again: robot-daemon endpoint wake ${paused.name}\n`,
  );
};

/** `robot-daemon endpoint sleep` */
export const sleepNow: EndpointCommand = async (context) => {
  const { namespace, endpoint } = await endpointOf(context);
  const asleep = await clientOf(context).call('scaleEndpointToZero', { params: { namespace, name: endpoint.name } });
  const ofApp =
    asleep.provider.vendor === 'local'
      ? ''
      : ' That of an app does so only if its price was confirmed when the app started.';
  say(context, asleep, `${namespace}/${asleep.name} is asleep. The next request wakes it.${ofApp}\n`);
};

/** `robot-daemon endpoint rm` */
export const remove: EndpointCommand = async (context) => {
  const { namespace, endpoint } = await endpointOf(context);
  const apps = appsUsing(await clientOf(context).call('listApps'), { namespace, name: endpoint.name });
  if (!context.given.switches.has('yes')) await confirmed(context, endpoint, apps);
  const removed = await clientOf(context).call('deleteEndpoint', { params: { namespace, name: endpoint.name } });
  const text = `${namespace}/${removed.name} is deleted. The files of its model stay on this machine.${lossText(apps)}\n`;
  say(context, removed, text);
};

/** A sentence about the apps that lose an endpoint, after a space; empty: none do. */
function lossText(apps: readonly string[]): string {
  if (apps.length === 0) return '';
  const [lose, page] = apps.length === 1 ? ['loses', 'its page'] : ['lose', 'their pages'];
  return ` ${listText(apps)} ${lose} it: choose another endpoint on ${page} in the dashboard.`;
}

/**
 * @param apps the apps that lose it
 * @throws NotDeleted unless the user types the endpoint's name
 */
async function confirmed(
  { signal }: CommandContext,
  { name, model }: Endpoint,
  apps: readonly string[],
): Promise<void> {
  if (!process.stdin.isTTY)
    throw new BadArguments('endpoint rm asks before it deletes; without a terminal, give --yes.');
  printError(
    `${name} serves ${model.repository}. Its address stops answering.${lossText(apps)} This cannot be undone.`,
  );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`Type ${name} to delete it: `, { signal });
    if (typed.trim() !== name) throw new NotDeleted(name);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    terminal.close();
  }
}
