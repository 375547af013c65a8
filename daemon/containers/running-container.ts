import type { Readable } from 'node:stream';
import { settlesWithin } from '../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../shared/clock.ts';
import type { OnLine } from '../shared/processes/line-splitter.ts';
import type { OomKillWatch } from '../shared/processes/oom-kills.ts';
import type { ContainerExit, PublishedPort } from './container-engine.ts';
import { ContainerOutput } from './container-output.ts';
import { removeContainer } from './container-removal.ts';
import { containerState } from './container-state.ts';
import { type ContainerUsage, UsageMeter, usageOf } from './container-usage.ts';
import { dial, type EngineClient } from './engine-client.ts';
import type { EngineFacts } from './finding/engine-facts.ts';
import { acceptsConnections } from './finding/probe-engine.ts';

/** The longest time in which neither the engine nor the container answers; with the last look within the 5 s of `ended`. */
const SILENCE_MS = 3_000;
/**
 * The time between two looks at a container that runs: no engine reports by itself that somebody has paused one, and Podman reports
 * an end 20 s later where its own cleanup fails.
 */
const SELDOM_LOOK_MS = 3_000;
const LOOK_AGAIN_MS = 500;
const PORT_MS = 500;
const USAGE_MS = 5_000;
/** The time that an engine may take beyond the grace to end a container. */
const STOP_MS = 5_000;
/** SIGKILL, which a removal sends first. */
const KILLED = 137;

const ENGINE_GONE: ContainerExit = { code: null, how: 'engine-gone', isOutOfMemory: false };
const REMOVED: ContainerExit = { code: null, how: 'removed', isOutOfMemory: false };
const PAUSED: ContainerExit = { code: null, how: 'paused', isOutOfMemory: false };

interface RunningContainerDeps {
  readonly clock: Clock;
  readonly client: EngineClient;
  readonly kind: EngineFacts['kind'];
  readonly countsFiles: boolean;
  readonly id: string;
  readonly published: PublishedPort;
  readonly onLine: OnLine;
  readonly oomKills: OomKillWatch;
  /** Hears once whether it is removed. */
  readonly onEnded: (isGone: boolean) => Promise<void>;
}

/** A container of ours that was started. */
export type OwnContainer = Pick<
  RunningContainer,
  'id' | 'published' | 'countsFiles' | 'ended' | 'exited' | 'usage' | 'stop'
>;

/**
 * Watches a container until it ends, then removes it. Its engine may go away and come back meanwhile: as long as the
 * published port answers, the container serves.
 */
export class RunningContainer {
  readonly id: string;
  readonly published: PublishedPort;
  /** Whether `memoryBytes` may count the files that its programs have read, which the system drops when memory is needed. */
  readonly countsFiles: boolean;
  /** Resolves when it serves no more, within 5 s after it is paused, or it or its engine is gone. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves within 6 s after `ended`, once its last lines are passed on. Never rejects. */
  readonly exited: Promise<ContainerExit>;
  readonly #deps: RunningContainerDeps;
  readonly #output: ContainerOutput;
  readonly #usage: UsageMeter;
  readonly #removed: Promise<void>;
  #stopping: Promise<void> | null = null;
  #hasEnded = false;
  /** Aborted at the end, and by a stop that has tried everything: the next look is the last one. */
  readonly #givingUp = new AbortController();
  /** Of the program, as the engine reported it at its end. */
  #code: number | null = null;

  constructor(deps: RunningContainerDeps) {
    this.#deps = deps;
    this.id = deps.id;
    this.published = deps.published;
    this.countsFiles = deps.countsFiles;
    this.#output = new ContainerOutput(deps.clock, deps.client, deps.id, deps.onLine);
    this.#usage = new UsageMeter(deps.clock, () => this.#measure());
    const end = this.#watch();
    this.ended = end.then(() => {});
    this.exited = end.then((exit) => this.#explained(exit));
    this.#removed = this.exited.then((exit) => this.#remove(exit));
  }

  /**
   * Memory in bytes as it was measured last, and processor time in seconds since its start; null: unknown, or it has
   * ended. Answers within 1 s, and at once while the engine is slow; never rejects.
   */
  async usage(): Promise<ContainerUsage> {
    if (this.#hasEnded) return { memoryBytes: null, cpuSeconds: null };
    return this.#usage.usage();
  }

  async #measure(): Promise<ContainerUsage> {
    const { client, id } = this.#deps;
    const stats = await client.call(USAGE_MS, (docker, abortSignal) => {
      const what = { stream: false, 'one-shot': true, abortSignal } as const;
      return docker.getContainer(id).stats(what);
    });
    return usageOf(stats);
  }

  /**
   * SIGTERM, after a grace SIGKILL; then removes it. Resolves once it is gone, or its engine has failed to remove it: it is
   * removed later then. A second call joins the first. Never rejects.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    const { clock, client, id } = this.#deps;
    const grace = { t: Math.ceil(graceMs / 1000) };
    await client
      .call(graceMs + STOP_MS, (docker, abortSignal) => docker.getContainer(id).stop({ ...grace, abortSignal }))
      .catch(() => {}); // it has ended, or its engine is busy or gone; the next look tells which
    const isKnown = (await containerState(client, id)) !== 'unknown';
    if (!isKnown || !(await settlesWithin(clock, STOP_MS, this.exited))) {
      await removeContainer(clock, client, id);
      this.#givingUp.abort();
    }
    await this.#removed;
  }

  async #watch(): Promise<ContainerExit> {
    let wait: Promise<void> | null = null;
    let exit: ContainerExit | null = null;
    while (exit === null) {
      wait ??= this.#waitForEnd();
      this.#deps.oomKills.look();
      const isOver = await settlesWithin(this.#deps.clock, SELDOM_LOOK_MS, wait);
      if (isOver) wait = null;
      exit = isOver ? await this.#look() : await this.#lookMeanwhile();
    }
    this.#hasEnded = true;
    this.#givingUp.abort();
    return exit;
  }

  /** Resolves when the engine says that it has ended, or the connection to the engine ends. Never rejects. */
  async #waitForEnd(): Promise<void> {
    const { client, kind, id } = this.#deps;
    const { signal } = this.#givingUp;
    try {
      // As a stream: Docker's reply begins at once, and the library would not notice that it breaks off.
      const wait = { path: waitPath[kind](id), method: 'POST', isStream: true };
      const reply = await client.stream(signal, (docker, abortSignal) => dial(docker, { ...wait, abortSignal }));
      this.#code = statusCodeIn(await textOf(reply)) ?? this.#code;
    } catch {
      // A look follows.
    }
  }

  /** @returns null: it is neither paused nor at its end, as far as is known */
  async #lookMeanwhile(): Promise<ContainerExit | null> {
    const { client, id } = this.#deps;
    const state = await containerState(client, id);
    if (state === 'paused') return PAUSED; // its program keeps its connections and answers none
    return typeof state === 'object' ? state : null;
  }

  /** Its end; null: it runs, and its engine answers. Waits while the engine does not answer and the container does. */
  async #look(): Promise<ContainerExit | null> {
    const { clock, client, id } = this.#deps;
    let silentSinceMs: number | null = null;
    for (;;) {
      const state = await containerState(client, id);
      if (state === 'gone') return this.#stopping ? { ...REMOVED, code: this.#code, how: 'exited' } : REMOVED;
      if (state === 'paused') return PAUSED;
      if (typeof state === 'object') return state;
      if (this.#givingUp.signal.aborted) return ENGINE_GONE;
      await sleepOn(clock, LOOK_AGAIN_MS);
      if (state === 'running') return null;
      if (await acceptsConnections(clock, this.published, PORT_MS)) {
        silentSinceMs = null;
        continue;
      }
      silentSinceMs ??= clock.elapsedMs();
      if (clock.elapsedMs() - silentSinceMs > SILENCE_MS) return ENGINE_GONE;
    }
  }

  /** Waits for its last lines. A container that somebody removes by force is killed first. */
  async #explained(exit: ContainerExit): Promise<ContainerExit> {
    await this.#output.end();
    if (exit.code !== KILLED || this.#stopping) return exit;
    const { clock, client, id, oomKills } = this.#deps;
    // Podman 4.3 never reports it: its monitor writes that into another folder than Podman reads.
    const isOutOfMemory = exit.isOutOfMemory || (await oomKills.isNew());
    const lookAgain = () => sleepOn(clock, LOOK_AGAIN_MS).then(() => containerState(client, id));
    const first = await lookAgain();
    const state = first === 'unknown' ? await lookAgain() : first; // a busy engine answers nothing while it removes one
    return state === 'gone' ? REMOVED : { ...exit, isOutOfMemory };
  }

  async #remove({ how }: ContainerExit): Promise<void> {
    const { clock, client, id, onEnded } = this.#deps;
    await onEnded(how !== 'engine-gone' && (await removeContainer(clock, client, id)));
  }
}

/**
 * Where an engine reports the end of a container. Podman answers Docker's question by looking again without a pause, which
 * takes most of a processor; its own question has an interval. The library takes the last letter off a path with a query.
 */
const waitPath = {
  docker: (id: string) => `/containers/${id}/wait`,
  podman: (id: string) =>
    `/v4.0.0/libpod/containers/${id}/wait?condition=stopped&condition=exited&interval=${LOOK_AGAIN_MS}ms&`,
} as const;

/** The reply is short: a code, perhaps with a sentence. */
const MAX_REPLY = 10_000;

function textOf(reply: Readable): Promise<string> {
  let text = '';
  reply.on('data', (chunk: Buffer) => {
    if (text.length < MAX_REPLY) text += chunk.toString();
  });
  return new Promise((resolve) => reply.once('close', () => resolve(text)));
}

function statusCodeIn(reply: string): number | null {
  try {
    const parsed = JSON.parse(reply) as number | { StatusCode?: unknown };
    const code = typeof parsed === 'number' ? parsed : parsed.StatusCode; // Podman, Docker
    return typeof code === 'number' ? code : null;
  } catch {
    return null;
  }
}
