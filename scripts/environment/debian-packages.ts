import { existsSync } from 'node:fs';
import { execaSync } from 'execa';

/**
 * Installs Debian packages, on a build machine only: never with a user's package manager unasked.
 * @returns whether this is such a machine
 * @throws Error when apt-get fails
 */
export function installOnBuildMachine(...packages: string[]): boolean {
  if (!process.env['CI'] || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing for the tests: ${packages.join(', ')}`);
  const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 } as const;
  execaSync('apt-get', ['update', '-qq'], options);
  execaSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  return true;
}
