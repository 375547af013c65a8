import { join } from 'node:path';
import { type CheckDeps, createCheckDeps } from '../../assistant/check/check-deps.ts';
import { systemClock } from '../../shared/clock.ts';
import { projectResources } from '../project.ts';
import { daemonOptions, type Surroundings } from './surroundings.ts';

/** The collaborators of checks without a daemon. They share nothing with one that runs, which may use its own at the same time. */
export async function checkDeps({ projectDir, paths }: Surroundings): Promise<CheckDeps> {
  const { python } = await daemonOptions(paths);
  const { assetsDir } = projectResources(projectDir);
  const cacheDir = join(paths.root, 'assistant');
  return createCheckDeps({ assetsDir, cacheDir, environment: process.env, python, clock: systemClock });
}
