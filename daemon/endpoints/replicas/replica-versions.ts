import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { knownFailure, unexpectedFailure } from '../failures/endpoint-failed.ts';
import { startProgress, startSteps } from '../preparation/start-report.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import {
  type FailureEffect,
  failureEffect,
  type PlannedVersion,
  type PlannedVersions,
  processSettings,
  type Step,
  sizeOf,
} from './plan.ts';
import { type HungReplica, type KeeperDeps, ReplicaKeeper, type ReplicaVersion } from './replica-keeper.ts';
import type { PlanReplicas } from './replica-plans.ts';
import { type KeptReplica, memoryRoom } from './replica-usage.ts';

/** Replicas that share one description. */
export interface Version extends ReplicaVersion {
  /** The settings that its processes depend on; see `processSettings`. */
  readonly settings: string;
  /** Whether it was begun to end a sleep. */
  readonly wakes: boolean;
  /** Settles before its first replica starts. */
  readonly after: Promise<unknown>;
  /** Each with the promise of its end, which never rejects. The oldest is the first. */
  readonly keepers: Map<ReplicaKeeper, Promise<void>>;
  /** Whether one of its replicas has been ready. */
  hasServed: boolean;
  hasFailed: boolean;
}

type Planned = ReplicaKeeper | HungReplica;

interface VersionsDeps extends Omit<KeeperDeps, 'onProgress'> {
  readonly planOf: PlanReplicas;
  readonly onProgress: (version: Version) => void;
  /** A replica could not be kept in service. Called before `onChange`. @param size the replicas that its version has left */
  readonly onFailure: (effect: FailureEffect, failure: EndpointFailure, version: Version, size: number) => void;
}

/** The replicas of one endpoint. Carries out the steps of its plan. */
export class ReplicaVersions {
  readonly #deps: VersionsDeps;
  #current: Version | null = null;
  #next: Version | null = null;
  /** Those that end. */
  #earlier: Version[] = [];

  constructor(deps: VersionsDeps) {
    this.#deps = deps;
  }

  /** The one that serves or starts; null: none does. */
  get current(): Version | null {
    return this.#current;
  }

  /** The one of a changed endpoint, which replaces the current one replica by replica; null: no update is under way. */
  get next(): Version | null {
    return this.#next;
  }

  /** Those that serve or start. */
  get all(): readonly Version[] {
    return [this.#current, this.#next].filter((version) => version !== null);
  }

  /** The one whose start is under way; null: none is. */
  get starting(): Version | null {
    return this.#next ?? (readyOf(this.#current).length === 0 ? this.#current : null);
  }

  /** All processes, also those that are about to end. */
  get processes(): readonly KeptReplica[] {
    return [...this.all, ...this.#earlier].flatMap(processesOf);
  }

  /** Settles once all replicas so far are gone. */
  get ended(): Promise<unknown> {
    return Promise.all([...this.all, ...this.#earlier].flatMap(({ keepers }) => [...keepers.values()]));
  }

  get planned(): Omit<PlannedVersions<Planned>, 'failedUpdate'> {
    return {
      current: this.#current && plannedOf(this.#current),
      next: this.#next && plannedOf(this.#next),
      earlier: this.#earlier.flatMap((version) => plannedOf(version).replicas),
    };
  }

  /** How many more replicas of the current version the memory has room for; null: unknown. */
  async room(): Promise<number | null> {
    return this.#current && memoryRoom(this.#current.plan.availableBytes(), readyOf(this.#current));
  }

  /**
   * Percent of the hardware that the replicas of the current version use together: of the processors that they may use, or
   * of the graphics cards that they are on. null: it is not known on this machine.
   */
  async usage(gpuUsage: (cards: readonly string[]) => Promise<number | null>): Promise<number | null> {
    if (!this.#current) return null;
    const { parts, threads } = this.#current.plan;
    const ready = readyOf(this.#current);
    // Containers may use all cards.
    if (parts().compute.accelerator === 'gpu') return gpuUsage(ready.flatMap(({ card }) => card?.card.name ?? []));
    const each = await Promise.all(ready.map(({ processor }) => processor.percent()));
    const known = each.filter((percent) => percent !== null);
    return known.length === 0 ? null : known.reduce((sum, percent) => sum + percent, 0) / threads;
  }

  /** @param record the one that the step was planned for */
  carryOut(step: Step<Planned>, record: EndpointRecord | undefined): void {
    switch (step.do) {
      case 'leave':
        if (step.replica instanceof ReplicaKeeper) step.replica.leave(step.untilMs);
        break;
      case 'stay':
        if (step.replica instanceof ReplicaKeeper) step.replica.stay();
        break;
      case 'end':
        step.replica.end();
        break;
      case 'start': {
        const version = step.of === 'next' ? this.#next : this.#current;
        if (version) this.#add(version);
        break;
      }
      case 'promote':
        this.#follow(this.#next, null);
        break;
      case 'drop-next':
        this.#follow(this.#current, null);
        break;
      case 'rest':
        this.#follow(null, null);
        break;
      case 'begin-next':
        if (record) this.#follow(this.#current, this.#made(record, Promise.resolve()));
        break;
      case 'begin': // once the replicas that still have requests are gone: their memory may be needed
        if (record) this.#follow(this.#made(record, this.ended), null);
        break;
    }
  }

  /** The versions that serve from now on; the others end. */
  #follow(current: Version | null, next: Version | null): void {
    const ended = this.all.filter((version) => version !== current && version !== next);
    this.#earlier.push(...ended.filter(({ keepers }) => keepers.size > 0));
    this.#current = current;
    this.#next = next;
  }

  #made(record: EndpointRecord, after: Promise<unknown>): Version {
    const version: Version = {
      settings: processSettings(record),
      wakes: this.#current === null && record.endpoint.status.state === 'initializing',
      plan: this.#deps.planOf(record, {
        replacedSlots: () => this.#slotsReplacedBy(version),
        serveOnCard: () => this.all.some((each) => isOnCard(each) && readyOf(each).length > 0),
      }),
      starts: new Mutex(),
      ...{ after, keepers: new Map(), hasServed: false, hasFailed: false, label: null, endCause: null },
      progress: startProgress(startSteps(record.endpoint)),
    };
    return version;
  }

  #add(version: Version): void {
    const { onProgress, onChange } = this.#deps;
    const keeper = new ReplicaKeeper(version, { ...this.#deps, onProgress: () => onProgress(version) });
    const gone = (gaveUp: () => void) => {
      version.keepers.delete(keeper);
      this.#earlier = this.#earlier.filter(({ keepers }) => keepers.size > 0);
      gaveUp();
      onChange();
    };
    const ended = version.after
      .then(() => keeper.run())
      .then(
        () => gone(() => {}),
        (error: unknown) => gone(() => this.#gaveUp(version, error)),
      );
    version.keepers.set(keeper, ended);
  }

  #gaveUp(version: Version, error: unknown): void {
    const { onFailure, log } = this.#deps;
    if (!this.all.includes(version) || version.hasFailed) return;
    const { id } = version.plan;
    const known = knownFailure(error);
    if (!known) log.error(`endpoint ${id}: its start failed`, error);
    const failure = known ?? unexpectedFailure(error);
    const size = sizeOf(plannedOf(version));
    const isShort = size > 0 && version.hasServed;
    if (isShort) log.warn(`endpoint ${id}: ${failure.message} Its other replicas serve.`);
    else {
      version.hasFailed = true; // before a first one was ready, the others would fail in the same way
      for (const keeper of version.keepers.keys()) keeper.end();
    }
    const of = version === this.#next ? 'next' : 'current';
    const currentSize = this.#current ? sizeOf(plannedOf(this.#current)) : 0;
    onFailure(failureEffect({ of, isShort, currentSize, hasNext: this.#next !== null }), failure, version, size);
  }

  /** The most slots of a replica that goes once the next one of a version is there. */
  #slotsReplacedBy(version: Version): number {
    const earlier = version === this.#next ? processesOf(this.#current) : [];
    const going = [...earlier, ...this.processes.filter(({ state }) => state === 'draining')];
    return Math.max(0, ...going.map(({ slots }) => slots ?? 0));
  }
}

const isOnCard = ({ plan }: Version) => plan.parts().compute.accelerator === 'gpu';

/** The processes of a version that serve requests. */
export const readyOf = (version: Version | null) => processesOf(version).filter(({ state }) => state === 'ready');

function processesOf(version: Version | null): KeptReplica[] {
  return [...(version?.keepers.keys() ?? [])].flatMap(({ processes }) => processes);
}

function plannedOf({ settings, hasFailed, keepers }: Version): PlannedVersion<Planned> {
  const replicas = [...keepers.keys()].flatMap((keeper): Planned[] => [...keeper.hung, keeper]);
  return { settings, hasFailed, replicas };
}
