import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AssignedNeed } from '../../contract/apps/needs.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Logger } from '../../shared/logger.ts';
import { priceText } from '../../shared/price-text.ts';
import { EndpointNotReady, type MetNeed, type PaidNeed, paid, unassigned, unusable } from './errors.ts';
import { needsEnvironment, type RunEnvironment } from './needs-environment.ts';
import type { RunEndpoint, RunEndpoints } from './run-endpoints.ts';

/** Longest wait for an endpoint at the start of an app, as long as the longest one of a request. */
export const WAKE_MS = 10 * 60_000;

export interface RunNeedsDeps {
  readonly endpoints: RunEndpoints;
  /** The base of the OpenAI-compatible interface of an endpoint; ends in `/v1`. */
  readonly urlOf: (endpoint: EndpointRef) => string;
  /**
   * @returns a token for one endpoint, valid until `ended` is aborted; without `mayWakePaid`, its requests do not wake an
   * endpoint that costs money
   */
  readonly issueKey: (
    appName: string,
    endpoint: EndpointRef,
    run: KeyedRun & { readonly mayWakePaid: boolean },
  ) => string;
  readonly log: Logger;
}

/** A run, for its keys. */
interface KeyedRun {
  /** Ends them. */
  readonly ended: AbortSignal;
  /** The port of its own page now, which may use its endpoints; null: none. */
  readonly pagePort: () => number | null;
}

type App = Pick<InstalledApp, 'name' | 'needs'>;

/** A need of a run with its endpoint, as it was when the run began. */
export interface BoundNeed {
  readonly need: MetNeed;
  readonly found: RunEndpoint;
  /** Whether the run may wake the endpoint if it costs money. */
  readonly mayWakePaid: boolean;
}

/** A declared need of a run, after the run. */
export interface NeedAfterRun extends Pick<AssignedNeed, 'task' | 'endpoint'> {
  readonly need: string;
  /** The address of the endpoint that the run had for it; null: it had none. */
  readonly url: string | null;
  /** Why its endpoint cannot be used now, in a sentence; null: it can, or there is none. */
  readonly trouble: string | null;
}

/** Gives the endpoints that are assigned to an app to its runs. */
export class RunNeeds {
  readonly #deps: RunNeedsDeps;

  constructor(deps: RunNeedsDeps) {
    this.#deps = deps;
  }

  /**
   * Finds the endpoints for a run. An optional need is left out if its endpoint cannot be used, or costs money and would
   * have to be woken.
   * @param options.wakePaid whether endpoints that cost money may be woken, by the start and by the requests of the run
   * @throws NeedUnmet
   */
  async bind({ name, needs }: App, { wakePaid }: { readonly wakePaid: boolean }): Promise<readonly BoundNeed[]> {
    const without = needs.filter(({ optional, endpoint }) => !optional && endpoint === null);
    if (without.length > 0) throw unassigned(name, without);
    const bound: BoundNeed[] = [];
    for (const need of needs.filter(isAssigned)) {
      const found = await this.#deps.endpoints.find(need.endpoint);
      const problem = unusable(name, need, found);
      if (problem && !need.optional) throw problem;
      if (found && !problem) bound.push({ need, found, mayWakePaid: wakePaid });
    }
    if (wakePaid) return bound;
    const priced = await this.#priced(bound.filter(({ found }) => !found.isReady));
    const [first, ...others] = onePerEndpoint(requiredFirst(priced));
    if (first && !first.need.optional) {
      const ready = await this.#priced(bound.filter(({ found }) => found.isReady));
      throw paid(name, [first, ...others], onePerEndpoint(ready));
    }
    return bound.filter(({ need }) => !priced.some((each) => each.need === need));
  }

  /**
   * Waits until the endpoints of the required needs can serve requests, and wakes those that sleep; also those of
   * optional needs, without waiting for them.
   * @param wait.onWait called with a description of the wait, and again when it changes
   * @throws EndpointNotReady, the reason of the signal
   */
  async untilReady(
    { name: appName }: Pick<App, 'name'>,
    bound: readonly BoundNeed[],
    wait: { readonly signal: AbortSignal; readonly onWait: (text: string) => void },
  ): Promise<void> {
    const { endpoints, log } = this.#deps;
    const asleep = bound.filter(({ found }) => !found.isReady);
    const required = onePerEndpoint(asleep.filter(({ need }) => !need.optional));
    const texts = new Map<string, string>();
    const givenUp = new AbortController();
    const signal = AbortSignal.any([wait.signal, givenUp.signal]);
    const wake = async ({ need, found }: BoundNeed) => {
      const id = endpointId(need.endpoint);
      const verb = found.state === 'scaledToZero' ? 'Waking' : 'Waiting for';
      const onProgress = (message: string) => {
        texts.set(id, `${verb} ${id}. ${message}`.trim());
        wait.onWait([...texts.values()].join(' '));
      };
      onProgress(found.state === 'scaledToZero' ? '' : found.message);
      await endpoints
        .untilReady(need.endpoint, { appName, waitMs: WAKE_MS, signal, onProgress })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw new EndpointNotReady(need, error as Error);
        });
      texts.delete(id);
      if (texts.size > 0) wait.onWait([...texts.values()].join(' '));
    };
    for (const { need } of onePerEndpoint(asleep.filter(({ need }) => need.optional))) {
      if (required.some((each) => isSame(each.need.endpoint, need.endpoint))) continue;
      endpoints
        .untilReady(need.endpoint, { appName, waitMs: WAKE_MS, signal: wait.signal, onProgress: () => {} })
        .catch((error: Error) => log.warn(`apps: ${endpointId(need.endpoint)} did not wake: ${error.message}`));
    }
    try {
      await Promise.all(required.map(wake));
    } finally {
      givenUp.abort();
    }
  }

  /**
   * The environment variables of a run for its endpoints, with a key for each need.
   * @param run.others the other variables of the run
   */
  environment(
    { name, needs }: App,
    bound: readonly BoundNeed[],
    { others, ...run }: KeyedRun & { readonly others: Readonly<Record<string, string>> },
  ): RunEnvironment {
    const { urlOf, issueKey } = this.#deps;
    const served = bound.map(({ need, found: { endpoint, model }, mayWakePaid }) => ({
      ...{ need, endpoint, model, url: urlOf(endpoint) },
      key: issueKey(name, endpoint, { ...run, mayWakePaid }),
    }));
    return needsEnvironment({ declared: needs, served, others });
  }

  /** The needs of a run, with the state of their endpoints now, for the diagnosis of a crash. Never rejects. */
  async afterRun({ needs }: Pick<App, 'needs'>, bound: readonly BoundNeed[]): Promise<readonly NeedAfterRun[]> {
    return Promise.all(
      needs.map(async ({ name, task, endpoint }) => {
        const served = bound.find(({ need }) => need.name === name);
        const trouble = endpoint && (await this.#troubleOf(endpoint, served?.mayWakePaid ?? false));
        return { need: name, task, endpoint, url: served ? this.#deps.urlOf(served.need.endpoint) : null, trouble };
      }),
    );
  }

  async #troubleOf(endpoint: EndpointRef, mayWakePaid: boolean): Promise<string | null> {
    const { endpoints, log } = this.#deps;
    try {
      const found = await endpoints.find(endpoint);
      if (found === null) return 'It was deleted.';
      if (found.isReady) return null;
      const pricePerHour = found.state === 'scaledToZero' && !mayWakePaid ? await endpoints.priceOf(endpoint) : 0;
      if (pricePerHour === 0) return found.message;
      return `It is asleep, and costs ${priceText(pricePerHour)}, which was not confirmed when the app started.`;
    } catch (error) {
      log.error(`apps: the state of ${endpointId(endpoint)} cannot be read`, error);
      return null;
    }
  }

  /** Those that cost money. */
  async #priced(bound: readonly BoundNeed[]): Promise<PaidNeed[]> {
    const priced = await Promise.all(
      bound.map(async ({ need }) => ({ need, pricePerHour: await this.#deps.endpoints.priceOf(need.endpoint) })),
    );
    return priced.filter(({ pricePerHour }) => pricePerHour !== 0);
  }
}

/** Whether a run has to wait for endpoints. */
export function mustWait(bound: readonly BoundNeed[]): boolean {
  return bound.some(({ need, found }) => !need.optional && !found.isReady);
}

function isAssigned(need: AssignedNeed): need is MetNeed {
  return need.endpoint !== null;
}

function isSame(one: EndpointRef, other: EndpointRef): boolean {
  return endpointId(one) === endpointId(other);
}

function requiredFirst<T extends { readonly need: MetNeed }>(needs: readonly T[]): T[] {
  return needs.toSorted((one, other) => Number(one.need.optional) - Number(other.need.optional));
}

/** The first of those with the same endpoint. */
function onePerEndpoint<T extends { readonly need: MetNeed }>(needs: readonly T[]): T[] {
  return needs.filter(
    ({ need }, index) => needs.findIndex((each) => isSame(each.need.endpoint, need.endpoint)) === index,
  );
}
