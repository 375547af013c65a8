import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { OwnApp, OwnAppRun } from '../../contract/apps/own-apps.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { DaemonSnapshot } from '../../contract/daemon.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { holderName, runIn, runText } from '../app/runs.ts';
import type { RunOutput, RunPrinter } from './run-output.ts';

/** The kinds of events that a run is followed by. */
export const followedEvents = [
  'snapshot',
  'own-apps.changed',
  'app-slot.changed',
  'app-run.ended',
  'app-output.appended',
  'app-output.gap',
  'job.changed',
] as const satisfies DaemonEvent['type'][];
type FollowedEvent = Extract<DaemonEvent, { type: (typeof followedEvents)[number] }>;

/** Prints what the events of a daemon say about an app that runs from its folder. */
export class RunFollowing {
  readonly #ownAppId: string;
  readonly #printer: RunPrinter;
  readonly #output: RunOutput;
  #name: string | null = null;
  #run: OwnAppRun | null = null;
  #slot: AppSlotState | null = null;
  lastRun: AppRun | null = null;

  constructor(ownAppId: string, printer: RunPrinter, output: RunOutput) {
    this.#ownAppId = ownAppId;
    this.#printer = printer;
    this.#output = output;
  }

  /** Whether it ran or waited, and does so no more. */
  get isOver(): boolean {
    return this.#run?.state === 'off' && !this.#holdsSlot;
  }

  async take(event: FollowedEvent): Promise<void> {
    switch (event.type) {
      case 'snapshot':
        this.#begin(event.snapshot);
        return;
      case 'own-apps.changed':
        this.takeApp(event.ownApps.apps.find(({ id }) => id === this.#ownAppId));
        return;
      case 'app-slot.changed':
        this.#slot = event.slot;
        return;
      case 'app-run.ended':
        if (event.run.appName === this.#name) await this.#ended(event.run);
        return;
      case 'app-output.appended':
        if (event.appName === this.#name) await this.#output.appended(event.runId, event.lines);
        return;
      case 'app-output.gap':
        if (event.appName === this.#name) await this.#output.catchUp(event.runId, event.to);
        return;
      case 'job.changed':
        if (event.job.id === this.#run?.jobId) this.#printer.job(event.job);
    }
  }

  /** Prints how it ended, once it is over. */
  printEnd(): void {
    if (this.lastRun?.outcome === 'stopped') this.#printer.note(runText(this.lastRun));
  }

  get #holdsSlot(): boolean {
    const slot = this.#slot;
    return slot !== null && runIn(slot) !== null && holderName(slot) === this.#name;
  }

  #begin({ slot, ownApps, output }: DaemonSnapshot): void {
    this.#slot = slot;
    this.#name = ownApps.apps.find(({ id }) => id === this.#ownAppId)?.name ?? null;
    if (output.runId !== null) this.#output.skip(output.runId, output.last);
  }

  /** The app in an event, or in the reply to the start, which may come after its events. */
  takeApp(app: OwnApp | undefined): void {
    if (!app) return;
    const { name, run } = app;
    this.#name = name ?? this.#name;
    const before = this.#run;
    if (before === null && run.state === 'off' && run.problem === null) return; // not started yet
    this.#run = run;
    if (run.problem !== null && run.problem !== before?.problem) this.#printProblem(run);
    else if (before && run.reloads > before.reloads) this.#printer.note(`Reloaded (${run.reloads}).`);
    else if (run.state === 'running' && before?.state !== 'running') {
      this.#printer.note(`${this.#name} runs from its folder. It restarts when a file changes; Ctrl-C stops it.`);
    }
    if (run.state === 'waiting' && before?.state !== 'waiting') {
      this.#printer.note('Waiting: the next change of a file starts it. Ctrl-C ends this.');
    }
  }

  #printProblem({ state, problem, findings }: OwnAppRun): void {
    if (this.lastRun?.message === problem) return; // its end was printed
    const what = state === 'running' ? 'Not reloaded: the earlier code still runs' : 'It does not run';
    // The findings say the problem, with all places.
    if (findings.some(({ severity }) => severity === 'problem')) this.#printer.problem(`${what}:`, findings);
    else this.#printer.problem(`${what}: ${problem}`);
  }

  async #ended(run: AppRun): Promise<void> {
    await this.#output.catchUp(run.runId);
    this.lastRun = run;
    // One that is stopped for a reload goes on: a stop is printed at the end.
    if (run.outcome !== 'stopped') this.#printer.problem(runText(run, { outputShown: true }));
  }
}
