import { asksThisMachine } from './access/access-token-file.ts';
import type { AppSlot } from './apps/run/app-slot.ts';
import type { DaemonStatus } from './contract/daemon.ts';
import type { BaseParts } from './create-base.ts';
import type { Models } from './create-models.ts';
import { InstallationChecker } from './doctor/installation-checker.ts';
import type { JobQueue } from './jobs/job-queue.ts';

export interface DoctorParts {
  readonly jobs: JobQueue;
  readonly models: Models;
  readonly slot: AppSlot;
  readonly status: () => DaemonStatus;
}

/** Composes the doctor of a running daemon. Its checks are loaded on request. */
export function createDoctor(base: BaseParts, { jobs, models, slot, status }: DoctorParts) {
  const { options, paths, address, childEnvironment, clock } = base;
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
        runningApp: appIn(slot),
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
  return { checker };
}

const appIn = ({ state }: AppSlot): string | null =>
  state.state !== 'free' && state.holder.kind === 'managed-app' ? state.holder.appName : null;
