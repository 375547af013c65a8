import type { JobProgress } from '../../jobs/job-queue.ts';
import { type CommandOptions, runCommand } from '../../shared/processes/run-command.ts';
import type { RunStep } from '../python/python-env.ts';
import { installEnvironment } from '../python/uv-and-pip.ts';

const DEFAULT_DEADLINE_MS = 60_000;

/** Runs the commands of an install: with its variables, its log, and its cancel. */
export function installRunner(options: {
  readonly childEnvironment: () => Record<string, string>;
  /** The folder for downloads. */
  readonly cacheDir: string;
  /** The folder of this install. Temporary files of a build are removed with it. */
  readonly work: string;
  readonly progress: Pick<JobProgress, 'signal' | 'log'>;
}): RunStep {
  const { childEnvironment, cacheDir, work, progress } = options;
  return (file, args, { moreEnv, ...more }: Partial<CommandOptions> = {}) =>
    runCommand(file, args, {
      env: { ...installEnvironment(cacheDir, childEnvironment()), TMPDIR: work, TMP: work, TEMP: work },
      deadlineMs: DEFAULT_DEADLINE_MS,
      signal: progress.signal,
      onLine: (line) => progress.log(line),
      ...(moreEnv && { moreEnv }),
      ...more,
    });
}
