import { spawn } from 'node:child_process';

/**
 * A process in the group of the main process, in the place of Chromium's GPU process and zygote: they ignore SIGINT, and
 * SIGTERM and SIGHUP end them. Chromium itself has a group of its own, since its browser process, which is the main process
 * in Electron, would take each signal for its own end. It ends with the main process.
 * @returns a promise that settles when it has ended
 */
export function startGroupMember(): Promise<void> {
  const member = spawn('/bin/sh', ['-c', 'trap "" INT; read -r line'], { stdio: ['pipe', 'ignore', 'ignore'] });
  return new Promise((resolve) => {
    member.once('exit', () => resolve());
  });
}
