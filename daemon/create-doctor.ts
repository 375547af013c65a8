import { asksThisMachine } from './access/access-token-file.ts';
import type { AppSlot } from './apps/run/app-slot.ts';
import type { DaemonStatus } from './contract/daemon.ts';
import type { ProblemReport } from './contract/doctor/problem-report.ts';
import type { Apps } from './create-apps.ts';
import type { BaseParts } from './create-base.ts';
import type { Models } from './create-models.ts';
import { InstallationChecker } from './doctor/installation-checker.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Robot } from './robot/robot.ts';

export interface DoctorParts {
  readonly apps: Apps;
  readonly jobs: JobQueue;
  readonly models: Models;
  readonly robot: Robot;
  readonly slot: AppSlot;
  readonly status: () => DaemonStatus;
}

/** Composes the doctor of a running daemon. Its checks and its report of a problem are loaded on request. */
export function createDoctor(base: BaseParts, { apps, jobs, models, robot, slot, status }: DoctorParts) {
  const { options, paths, address, childEnvironment, clock, recentLog } = base;
  const { containerEngine: setting, resources } = options;
  const checker = new InstallationChecker({
    jobs,
    check: async (progress) => {
      const [{ examine }, { isEngineExpected }, { cardsStateOf }, { installationCheckOf }] = await Promise.all([
        import('./doctor/examine.ts'),
        import('./doctor/container-engine-check.ts'),
        import('./doctor/graphics-card-check.ts'),
        import('./doctor/page-findings.ts'),
      ]);
      const diagnosis = await examine({
        ...{ paths, childEnvironment, progress, clock, assetsDir: resources.assetsDir },
        ...{ wantedPython: options.python, hubUrl: options.hubUrl, asksThisMachine: asksThisMachine(options) },
        holder: { pid: process.pid, url: address.url, status: status() },
        runningApp: () => appIn(slot),
        // The daemon's own finders: others would ask the same drivers and engines at the same time.
        containerEngine: async () => ({
          status: await models.runtimes.containers(),
          isExpected: await isEngineExpected(setting, childEnvironment()['PATH'] ?? ''),
        }),
        graphicsCards: () => cardsStateOf(models.cards),
      });
      return installationCheckOf(diagnosis, clock.now());
    },
    clock,
  });
  const problemReport = async (): Promise<ProblemReport> => {
    const [{ MOST_RUNS, problemReport: makeReport }, { privateMask }, sources] = await Promise.all([
      import('./doctor/problem-report/problem-report.ts'),
      import('./doctor/problem-report/private-text.ts'),
      import('./doctor/problem-report/report-sources.ts'),
    ]);
    const { crashOutputs, daemonFacts, machineFacts, privateFacts } = sources;
    const { history, installed } = apps;
    const [crashes, facts] = await Promise.all([crashOutputs(paths, history.crashes), privateFacts(paths)]);
    const contents = {
      ...{ version: options.version, createdAt: clock.now(), check: checker.last, log: recentLog.list, crashes },
      ...{ apps: installed.list(), jobs: jobs.list(), runs: history.list({ limit: MOST_RUNS }) },
      system: [...machineFacts(options.version), ...daemonFacts(status(), robot.state)],
    };
    return makeReport(contents, privateMask(facts));
  };
  return { checker, problemReport };
}

const appIn = ({ state }: AppSlot): string | null =>
  state.state !== 'free' && state.holder.kind === 'managed-app' ? state.holder.appName : null;
