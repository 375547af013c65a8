import type { CardUse } from '../contract/compute/graphics-cards.ts';
import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointReport } from '../contract/endpoints/endpoint-report.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import { ShuttingDown } from '../shared/domain-error.ts';
import { lacksChatTemplate } from './description/chat-template.ts';
import { unusedSettings } from './description/unused-settings.ts';
import type { Endpoints } from './endpoints.ts';
import type { EndpointUse } from './measured-memory/memory-records.ts';
import { type EndpointRecord, refOf } from './records/endpoint-record.ts';
import type { Acquiring, Backend, BackendAddress, Backends } from './replicas/backends.ts';
import { EndpointLoop, type LoopDeps } from './replicas/endpoint-loop.ts';
import type { EndpointOutput } from './replicas/endpoint-output.ts';
import type { Replica } from './runtime/endpoint-runtime.ts';
import type { Serving } from './speed-records.ts';
import { EndpointNotFound } from './states/errors.ts';

/**
 * A container that ignores SIGTERM has 2 s, and a busy engine takes a second and more to kill and remove it. The daemon's own
 * stop takes at most 8 s, of which the robot has 2.5; what is left then is killed, a container at the next start.
 */
const CLOSE_MS = 4_500;

interface SupervisorDeps extends LoopDeps {
  readonly endpoints: Endpoints;
  /** Whether a mail server is set up. */
  readonly canMail: () => boolean;
}

/** Keeps the processes of all endpoints in line with their records, and gives their replicas to requests. */
export class Supervisor implements Backends {
  readonly #deps: SupervisorDeps;
  /** By the ids of the endpoints. */
  readonly #loops = new Map<string, EndpointLoop>();
  #unsubscribe = () => {};
  #isClosed = false;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  /** Starts the endpoints that are to run, once they have been loaded. */
  async start(): Promise<void> {
    const { endpoints } = this.#deps;
    await endpoints.load();
    if (this.#isClosed) return;
    this.#unsubscribe = endpoints.subscribe((endpoint) => this.#sync(endpoint));
    for (const record of endpoints.records) this.#sync(refOf(record));
  }

  /** Ends all processes, within a limit. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    const ended = Promise.all([...this.#loops.values()].map((one) => one.retire()));
    await settlesWithin(this.#deps.clock, CLOSE_MS, ended);
  }

  async acquire(endpoint: EndpointRef, acquiring: Acquiring): Promise<Backend> {
    const { endpoints } = this.#deps;
    const record = endpoints.record(endpoint);
    if (this.#isClosed) throw new ShuttingDown();
    if (!record) throw new EndpointNotFound(endpoint.name);
    return this.#of(endpoint).requests.acquire(acquiring);
  }

  peek(endpoint: EndpointRef): BackendAddress | null {
    return this.#known(endpoint)?.requests.peek() ?? null;
  }

  /**
   * Ends an endpoint's processes, then removes it.
   * @throws the error of `remove`; the endpoint then runs again
   */
  async removeAfterEnd<T>(endpoint: EndpointRef, remove: () => Promise<T>): Promise<T> {
    const loop = this.#known(endpoint);
    await loop?.retire();
    try {
      const removed = await remove();
      this.#loops.delete(endpointId(endpoint));
      this.#sync(endpoint); // another endpoint of that name may have been created at once
      return removed;
    } catch (error) {
      loop?.restore();
      throw error;
    }
  }

  /** The current activity of an endpoint. */
  async report(record: EndpointRecord): Promise<EndpointReport> {
    const { endpoint, bringsChatTemplate, notOnCard, failure } = record;
    const loop = this.#known(refOf(record));
    const current = loop?.versions.current ?? null;
    return {
      runtime: current?.label ?? null,
      isWaking: current?.wakes === true && !current.hasServed,
      progress: loop?.versions.starting?.progress ?? null,
      failure,
      replicas: await Promise.all(
        (loop?.versions.processes ?? []).map(async ({ id, replica, processor, state, isSilent, slots }) => ({
          id,
          pid: replica.pid,
          container: replica.container,
          state: state === 'ready' && isSilent ? 'silent' : state,
          requests: loop?.requests.requestsOf(id) ?? 0,
          slots,
          memoryBytes: await replica.memoryBytes(),
          cpuPercent: await processor.percent(),
          cardUse: onCard(replica),
        })),
      ),
      notOnCard,
      scaling: loop?.scaling ?? null,
      lacksChatTemplate: lacksChatTemplate(endpoint.model, bringsChatTemplate),
      unused: unusedSettings(endpoint, this.#deps.canMail()),
    };
  }

  /** How all replicas of an endpoint serve; null: there are none, or some have other settings, as in an update. */
  serving(endpoint: EndpointRef): Serving | null {
    const { versions } = this.#known(endpoint) ?? {};
    const current = versions?.current;
    if (!current || versions?.next || versions?.processes.some(({ state }) => state === 'draining')) return null;
    const cards = new Set(versions?.processes.flatMap(({ replica }) => onCard(replica)?.card ?? []));
    const [card = null] = cards.size === 1 ? cards : [];
    return { parts: current.plan.parts(), program: current.label, card };
  }

  /** The output of an endpoint's processes so far. */
  output(endpoint: EndpointRef): EndpointOutput {
    return this.#of(endpoint).output;
  }

  /** The replicas on graphics cards, with the index of their card. */
  cardUsers(): { readonly index: number; readonly namespace: string; readonly name: string; readonly use: CardUse }[] {
    return [...this.#loops.values()].flatMap(({ endpoint, versions }) =>
      versions.processes.flatMap(({ card, replica }) => {
        const use = onCard(replica);
        return card && use ? [{ index: card.card.index, ...endpoint, use }] : [];
      }),
    );
  }

  /** The resident memory of the replicas of each endpoint that has any. */
  async memory(): Promise<readonly EndpointUse[]> {
    const found: EndpointUse[] = [];
    for (const loop of this.#loops.values()) {
      const each = loop.versions.processes.map(async ({ replica, state, slots }) => {
        const { container, countsFiles } = replica;
        const bytes = await replica.memoryBytes();
        return bytes === null ? [] : [{ bytes, isContainer: container !== null, countsFiles, state, slots }];
      });
      const known = (await Promise.all(each)).flat();
      if (known.length > 0) found.push({ endpoint: loop.endpoint, replicas: known });
    }
    return found;
  }

  #sync(endpoint: EndpointRef): void {
    if (this.#isClosed) return;
    if (this.#deps.endpoints.record(endpoint)) this.#of(endpoint).look();
    else this.#known(endpoint)?.look();
  }

  #known(endpoint: EndpointRef): EndpointLoop | undefined {
    return this.#loops.get(endpointId(endpoint));
  }

  #of(endpoint: EndpointRef): EndpointLoop {
    const known = this.#known(endpoint);
    if (known) return known;
    const made = new EndpointLoop(endpoint, this.#deps);
    this.#loops.set(endpointId(endpoint), made);
    return made;
  }
}

/** The part of a replica that is on a graphics card; null: none is known. */
function onCard({ cardUse }: Pick<Replica, 'cardUse'>): CardUse | null {
  return cardUse?.layers ? cardUse : null;
}
