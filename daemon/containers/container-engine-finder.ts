import type { ContainerEngineStatus } from '../contract/endpoints/runtimes.ts';
import type { Clock } from '../shared/clock.ts';
import { programOnPath } from '../shared/files/program-on-path.ts';
import type { Logger } from '../shared/logger.ts';
import type { ContainerRegister } from './container-register.ts';
import { type ContainerEngine, DockerEngine } from './docker-engine.ts';
import type { EngineFacts } from './finding/engine-facts.ts';
import { type EnginePlace, type MachineFacts, placeFrom, placeText, usualPlaces } from './finding/engine-places.ts';
import { KNOWN_PROGRAMS, type MissingEngine, missingEngine } from './finding/missing-engine.ts';
import { acceptsConnections, probeEngine } from './finding/probe-engine.ts';

/** The time for which a search that found nothing is believed: pages ask often, and an engine may be started at any time. */
const NOTHING_FOUND_MS = 5_000;
/** A socket of this machine accepts at once. */
const CONNECT_MS = 1_000;
/** The variables that name an engine, as their programs read them. */
const VARIABLES = ['CONTAINER_HOST', 'DOCKER_HOST'] as const;

export interface ContainerEngineFinderDeps {
  /** The engine's address by the user's setting, or `none`; null: it is looked for. */
  readonly setting: string | null;
  readonly machine: MachineFacts;
  readonly register: ContainerRegister;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Found {
  readonly place: EnginePlace;
  readonly facts: EngineFacts;
  readonly engine: ContainerEngine;
}
type Look =
  | { readonly found: Found; readonly missing: null }
  | { readonly found: null; readonly missing: MissingEngine };

/**
 * Finds the program of this machine that runs containers: the one that the user's setting or a variable names, else the
 * first that answers where engines usually are. It loads nothing that runs containers.
 */
export class ContainerEngineFinder {
  readonly #deps: ContainerEngineFinderDeps;
  #look: { readonly result: Promise<Look>; readonly atMs: number } | null = null;

  constructor(deps: ContainerEngineFinderDeps) {
    this.#deps = deps;
  }

  /** The engine that answers now, or the reason why none does. Answers within 20 s, never rejects. */
  async status(): Promise<ContainerEngineStatus> {
    const { found, missing } = await this.#current();
    if (found === null) return { label: null, socket: null, isRootless: false, hasGpu: false, ...missing };
    const { label, isRootless, gpu } = found.facts;
    return {
      ...{ label, socket: placeText(found.place), isRootless, hasGpu: gpu !== null },
      ...{ problem: null, action: null, command: null },
    };
  }

  /** null: none can be used; `status` says why. */
  async find(): Promise<ContainerEngine | null> {
    return (await this.#current()).found?.engine ?? null;
  }

  /** The engine at a place, whatever the settings say; null: none answers there. */
  async engineAt(text: string): Promise<ContainerEngine | null> {
    const place = placeFrom(text);
    const result = place && (await probeEngine(this.#deps.clock, place));
    return result && 'kind' in result ? this.#engine(place, result).engine : null;
  }

  /** Forgets what was found. */
  refresh(): void {
    this.#look = null;
  }

  /** The newest look while it holds: an engine that still accepts connections, or a short time without one. */
  async #current(): Promise<Look> {
    const { clock } = this.#deps;
    const last = this.#look;
    if (last !== null) {
      const look = await last.result;
      const holds =
        look.found === null
          ? clock.elapsedMs() - last.atMs < NOTHING_FOUND_MS
          : await acceptsConnections(clock, look.found.place, CONNECT_MS);
      if (holds) return look;
      if (this.#look === last) this.#look = null;
    }
    this.#look ??= { result: this.#search(), atMs: clock.elapsedMs() };
    return this.#look.result;
  }

  async #search(): Promise<Look> {
    const { setting, machine, clock } = this.#deps;
    if (setting !== null) return this.#searchSetting(setting);
    const { environment } = machine;
    const named = VARIABLES.flatMap((name) => environment[name]?.trim() || []).map((text) => placeFrom(text));
    const usual = usualPlaces(machine).map((path) => ({ socketPath: path }));
    const places = [...named.filter((place) => place !== null), ...usual];
    const looks = places.map((place) => ({ place, probe: probeEngine(clock, place) }));
    const unsuitable: MissingEngine[] = [];
    const forbidden: string[] = [];
    for (const { place, probe } of looks) {
      const result = await probe;
      if ('kind' in result) return { found: this.#engine(place, result), missing: null };
      if ('problem' in result) unsuitable.push({ ...result, command: null });
      else if (result.code === 'EACCES' || result.code === 'EPERM') forbidden.push(placeText(place));
    }
    return { found: null, missing: unsuitable[0] ?? (await this.#missing(forbidden)) };
  }

  async #searchSetting(setting: string): Promise<Look> {
    if (setting === 'none') {
      const problem = 'Containers are switched off by the option --container-engine none.';
      const action = 'Start the daemon without this option.';
      return { found: null, missing: { problem, action, command: null } };
    }
    const place = placeFrom(setting);
    const result = place === null ? { code: 'invalid' } : await probeEngine(this.#deps.clock, place);
    if (place !== null && 'kind' in result) return { found: this.#engine(place, result), missing: null };
    if ('problem' in result) return { found: null, missing: { ...result, command: null } };
    const problem = `No container engine answers at ${setting}, which the option --container-engine names.`;
    const action = 'Start that engine, or start the daemon without this option.';
    return { found: null, missing: { problem, action, command: null } };
  }

  async #missing(forbidden: readonly string[]): Promise<MissingEngine> {
    const { platform, uid, environment } = this.#deps.machine;
    const path = environment['PATH'] ?? environment['Path'] ?? '';
    const installed = await Promise.all(
      KNOWN_PROGRAMS.map(async (name) => ((await programOnPath(name, path, platform)) === null ? [] : [name])),
    );
    const remote = VARIABLES.find((name) => environment[name]?.trim() && placeFrom(environment[name].trim()) === null);
    return missingEngine({
      platform,
      isRoot: uid === 0,
      programs: new Set(installed.flat()),
      forbidden,
      remote: remote ?? null,
    });
  }

  #engine(place: EnginePlace, facts: EngineFacts): Found {
    const { register, clock, log } = this.#deps;
    return { place, facts, engine: new DockerEngine({ place, facts, register, clock, log }) };
  }
}
