import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { Mutex } from '../../daemon/shared/async/mutex.ts';

/** Whether programs may be installed unasked: never with a user's package manager. */
export const isBuildMachine = Boolean(
  process.env['CI'] && process.getuid?.() === 0 && existsSync('/etc/debian_version'),
);

const installs = new Mutex(); // apt-get refuses a second one
const DEADLINE_MS = 300_000;

/**
 * Installs Debian packages, on a build machine only.
 * @returns whether this is such a machine
 * @throws ExecaError when apt-get fails
 */
export async function installOnBuildMachine(...packages: string[]): Promise<boolean> {
  if (!isBuildMachine) return false;
  await installs.run(async () => {
    console.log(`Installing for the tests: ${packages.join(', ')}`);
    const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: DEADLINE_MS } as const;
    await execa('apt-get', ['update', '-qq'], options);
    await execa('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  });
  return true;
}
