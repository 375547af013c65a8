import { startLeader } from '../daemon/shared/processes/start-leader.ts';

/** Waits until the process `$0` is gone, at most half a minute; then becomes the program that follows. */
const SCRIPT = 'n=0; while [ $n -lt 150 ] && kill -0 "$0" 2>/dev/null; do sleep 0.2; n=$((n+1)); done; exec "$@"';

/**
 * Starts an AppImage once a process has ended. Electron's `relaunch` cannot: its helper runs from the files of the AppImage, which are
 * gone as soon as this process is. The shell of the system waits in its place.
 * @param pid the process that ends: this one
 */
export function startAppImageAfter(pid: number, appImage: string, args: readonly string[]): void {
  // Like any start from a menu: the program gets the environment of its user.
  const options = { extendEnv: true, stdout: 'ignore', stderr: 'ignore' } as const;
  const child = startLeader('/bin/sh', ['-c', SCRIPT, String(pid), appImage, ...args], options);
  child.nodeChildProcess.unref();
}
