import { execa } from 'execa';

/** The time between two looks at the parent. */
const LOOK_MS = 500;
/** Gets the id of its parent, which may end before this begins. */
const program = `
  const parent = Number(process.argv[1]);
  for (let lookAt = 0; ; ) {
    if (performance.now() < lookAt) continue;
    if (process.ppid !== parent) process.exit();
    lookAt = performance.now() + ${LOOK_MS};
  }`;

/** Starts a process that keeps a processor busy until it is killed, or this process has ended, also by SIGKILL. */
export function startBusyProcess() {
  return execa('node', ['--eval', program, String(process.pid)], { reject: false });
}
