import { join } from 'node:path';
import { findHostPython, PythonMissing } from '../apps/python/python-finder.ts';
import { findSdkWheel } from '../apps/python/sdk-wheel.ts';
import { systemClock } from '../shared/clock.ts';
import { instanceIn } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { CommandFailed, runCommand } from '../shared/processes/run-command.ts';
import { savedText } from './daemon-arguments.ts';
import { projectResources } from './project.ts';

class SdkNotBuilt extends DomainError {}

const MARK = 'sdk';
const DEADLINE_MS = 30_000;

/** `robot-daemon sdk path` */
export async function printSdkPath(paths: DataPaths, projectDir: string): Promise<void> {
  process.stdout.write(`${await sdkPath(paths, projectDir)}\n`);
}

/**
 * The SDK's wheel, which is built into the data folder when it is not there yet.
 * @param projectDir the folder with package.json, assets and dist
 * @throws StorageError, or another DomainError
 */
export async function sdkPath(paths: DataPaths, projectDir: string): Promise<string> {
  const { assetsDir } = projectResources(projectDir);
  const env = childEnvironment(process.env, MARK);
  const python = async () =>
    findHostPython({
      wanted: savedText(await instanceIn(paths), 'python'),
      toolsDir: paths.tools,
      installerDir: join(assetsDir, 'installer'),
      env,
      signal: systemClock.timeout(DEADLINE_MS),
    });
  try {
    const { sdkWheel } = await findSdkWheel({
      sdkDir: join(assetsDir, 'python-sdk'),
      toolsDir: paths.tools,
      python,
      run: (file, args, more) => runCommand(file, args, { env, deadlineMs: DEADLINE_MS, ...more }),
    });
    return sdkWheel;
  } catch (error) {
    if (error instanceof PythonMissing) throw new SdkNotBuilt(`${error.message} ${error.action}`);
    if (error instanceof CommandFailed)
      throw new SdkNotBuilt(`The SDK could not be built: ${error.message}. ${error.lines.at(-1) ?? ''}`.trim());
    throw error;
  }
}
