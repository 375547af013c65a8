import { servesTask } from '../../contract/apps/need-tasks.ts';
import type { AssignedNeed, NeedProblem, UnmetNeed } from '../../contract/apps/needs.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { DomainError, NotFound } from '../../shared/domain-error.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { listText } from '../../shared/list-text.ts';
import { priceText } from '../../shared/price-text.ts';
import type { RunEndpoint } from './run-endpoints.ts';

export class NeedNotFound extends NotFound {
  constructor(appName: string, need: string) {
    super(`"${appName}" has no need "${need}".`);
  }
}

/** Also thrown for an endpoint in a namespace that the caller may not use. */
export class AssignedEndpointNotFound extends NotFound {
  constructor(endpoint: EndpointRef) {
    super(`There is no endpoint "${endpointId(endpoint)}" for this token.`);
  }
}

/** The endpoint serves a task that the need cannot use. */
export class WrongTask extends InvalidBody {
  constructor({ name, task }: Pick<AssignedNeed, 'name' | 'task'>, endpoint: EndpointRef, served: string) {
    const message = `The need "${name}" is for ${task}, and ${endpointId(endpoint)} serves ${served}. Choose another endpoint.`;
    super(message, [{ path: ['endpoint'], message }]);
  }
}

/** An app cannot start because of one of its needs. */
export class NeedUnmet extends DomainError {
  readonly code: NeedProblem;
  readonly unmet: UnmetNeed;

  constructor(code: NeedProblem, unmet: UnmetNeed, message: string) {
    super(message);
    this.code = code;
    this.unmet = unmet;
  }
}

/** A need with the endpoint that is assigned to it. */
export interface MetNeed extends AssignedNeed {
  readonly endpoint: EndpointRef;
}

/** @param needs every required need without an endpoint; at least one */
export function unassigned(appName: string, needs: readonly AssignedNeed[]): NeedUnmet {
  const [first] = needs;
  const names = listText(needs.map(({ name }) => `"${name}"`));
  const tasks = listText([...new Set(needs.map(({ task }) => task))]);
  const [models, them] = needs.length === 1 ? ['a model', 'one'] : ['models', 'them'];
  return new NeedUnmet(
    'need-unassigned',
    { appName, need: first?.name ?? '', endpoint: null },
    `"${appName}" needs ${models} for ${names} (${tasks}). Choose ${them} on the app's page.`,
  );
}

const unmet = (code: NeedProblem, appName: string, { name, endpoint }: MetNeed, message: string): NeedUnmet =>
  new NeedUnmet(code, { appName, need: name, endpoint }, message);

/** Why an endpoint cannot serve a need of an app; null: it can. @param found the endpoint of the need, as it is now */
export function unusable(appName: string, need: MetNeed, found: RunEndpoint | null): NeedUnmet | null {
  const id = endpointId(need.endpoint);
  const used = `The endpoint ${id}, which "${appName}" uses for "${need.name}",`;
  const because = (code: NeedProblem, message: string) => unmet(code, appName, need, message);
  if (!found) return because('endpoint-missing', `${used} was deleted. Choose another one on the app's page.`);
  if (!servesTask(need.task, found.task)) {
    const message = `"${appName}" needs ${need.task} for "${need.name}", and the endpoint ${id} serves ${found.task}. Choose another one on the app's page.`;
    return because('endpoint-unsuitable', message);
  }
  if (found.state === 'paused') {
    return because('endpoint-paused', `${used} is paused. Resume it, then start the app again.`);
  }
  return found.state === 'failed' ? because('endpoint-failed', `${used} has failed: ${found.message}`) : null;
}

export interface PaidNeed {
  readonly need: MetNeed;
  /** US dollars; null: unknown. */
  readonly pricePerHour: number | null;
}

/**
 * The question before a start wakes endpoints that cost money. A yes also allows the run to wake them again.
 * @param asleep those that are not ready, each with a need; at least one
 * @param ready the others that cost money: the run may wake them once they sleep
 */
export function paid(
  appName: string,
  [first, ...others]: readonly [PaidNeed, ...PaidNeed[]],
  ready: readonly PaidNeed[],
): NeedUnmet {
  const asleep = [first, ...others];
  const wakes = `The start of "${appName}" would wake ${idsOf(asleep)}, ${priceOf(asleep)}.`;
  const also = ready.length === 0 ? '' : `, and also ${idsOf(ready)}, ${priceOf(ready)}`;
  const wakesAgain = `As long as the app runs, it may wake ${idsOf(asleep)} again${also}.`;
  return unmet('endpoint-paid', appName, first.need, `${wakes} ${wakesAgain} Confirm this to start it.`);
}

function idsOf(needs: readonly PaidNeed[]): string {
  return listText(needs.map(({ need }) => endpointId(need.endpoint)));
}

/** `which together cost $4.20 an hour` */
function priceOf(needs: readonly PaidNeed[]): string {
  const total = needs.reduce<number | null>(
    (sum, { pricePerHour }) => (sum === null || pricePerHour === null ? null : sum + pricePerHour),
    0,
  );
  return `${needs.length === 1 ? 'which costs' : 'which together cost'} ${priceText(total)}`;
}

/** The one thing to do after an endpoint failed. @param need the name of the need that it is assigned to */
export function checkEndpoint(endpoint: EndpointRef, need: string): string {
  return `Check the endpoint ${endpointId(endpoint)}, or choose another one for "${need}", then start the app again.`;
}

/** An endpoint did not become ready after the start of an app was accepted. */
export class EndpointNotReady extends DomainError {
  readonly endpoint: EndpointRef;
  readonly action: string;

  constructor({ name, endpoint }: MetNeed, reason: Error) {
    const id = endpointId(endpoint);
    super(`The endpoint ${id}, which it uses for "${name}", did not become ready. ${reason.message}`, {
      cause: reason,
    });
    this.endpoint = endpoint;
    this.action = checkEndpoint(endpoint, name);
  }
}
