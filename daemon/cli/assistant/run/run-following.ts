import type { AppSlotState } from '../../../contract/apps/app-slot.ts';
import type { OwnApp, OwnAppRun, OwnApps } from '../../../contract/apps/own-apps.ts';
import type { AppRun } from '../../../contract/apps/runs.ts';
import type { DaemonEvent } from '../../../contract/events.ts';
import { runText } from '../../app/run-text.ts';
import type { RunOutput } from './run-output.ts';
import type { RunPrinter } from './run-printer.ts';

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
export type FollowedEvent = Extract<DaemonEvent, { type: (typeof followedEvents)[number] }>;

/** Tells what the events of a daemon say about an app that runs from its folder. */
export class RunFollowing {
  readonly #ownAppId: string;
  readonly #printer: RunPrinter;
  readonly #output: RunOutput;
  #name: string | null = null;
  #run: OwnAppRun | null = null;
  #slot: AppSlotState | null = null;
  /** How its last run ended. */
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
        this.#slot = event.snapshot.slot;
        this.#begin(event.snapshot.ownApps, event.snapshot.output);
        return;
      case 'own-apps.changed':
        this.#changed(event.ownApps);
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

  /** The reply to the start, which may come after its events. */
  started(app: OwnApp): void {
    this.#take(app);
  }

  /** Tells how it ended, once it is over. */
  tellEnd(): void {
    if (this.lastRun?.outcome === 'stopped') this.#printer.note(runText(this.lastRun));
  }

  get #holdsSlot(): boolean {
    const slot = this.#slot;
    return (
      slot !== null && slot.state !== 'free' && slot.holder.kind === 'managed-app' && slot.holder.appName === this.#name
    );
  }

  #begin(ownApps: OwnApps, output: { readonly runId: string | null; readonly last: number }): void {
    const app = ownApps.apps.find(({ id }) => id === this.#ownAppId);
    this.#name = app?.name ?? null;
    if (output.runId !== null) this.#output.skip(output.runId, output.last);
  }

  #changed({ apps }: OwnApps): void {
    const app = apps.find(({ id }) => id === this.#ownAppId);
    if (app) this.#take(app);
  }

  #take({ name, run }: OwnApp): void {
    this.#name = name ?? this.#name;
    const before = this.#run;
    if (before === null && run.state === 'off' && run.problem === null) return; // not started yet
    this.#run = run;
    if (run.problem !== null && run.problem !== before?.problem) this.#tellProblem(run);
    else if (before && run.reloads > before.reloads) this.#printer.note(`Reloaded (${run.reloads}).`);
    else if (run.state === 'running' && before?.state !== 'running') {
      this.#printer.note(`${this.#name} runs from its folder. It restarts when a file changes; Ctrl-C stops it.`);
    }
    if (run.state === 'waiting' && before?.state !== 'waiting') {
      this.#printer.note('Waiting: the next change of a file starts it. Ctrl-C ends this.');
    }
  }

  #tellProblem({ state, problem, findings }: OwnAppRun): void {
    if (this.lastRun?.message === problem) return; // its end was told
    const what = state === 'running' ? 'Not reloaded, the earlier code goes on' : 'It does not run';
    // The findings tell the problem, with all places.
    if (findings.some(({ severity }) => severity === 'problem')) this.#printer.problem(`${what}:`, findings);
    else this.#printer.problem(`${what}: ${problem}`);
  }

  async #ended(run: AppRun): Promise<void> {
    await this.#output.catchUp(run.runId);
    this.lastRun = run;
    // One that is stopped for a reload goes on: a stop is told at the end.
    if (run.outcome !== 'stopped') this.#printer.problem(runText(run, { outputShown: true }));
  }
}
