/** A program like Electron's main process, without a window: it hosts the real daemon and keeps the real guardian. */
import { join } from 'node:path';
import { parseDaemonArguments } from '../../daemon/cli/daemon-arguments.ts';
import { createDaemon } from '../../daemon/create-daemon.ts';
import { GuardianKeeper } from '../../daemon/guardian/guardian-keeper.ts';
import { guardAssignment, startGuardian } from '../../daemon/guardian/guardian-process.ts';
import { systemClock } from '../../daemon/shared/clock.ts';
import { createLogger } from '../../daemon/shared/logger.ts';
import { projectDir, testResources } from '../../daemon/testing/daemon/test-daemon.ts';
import { guardProgram } from '../guardian/guard-program.ts';
import { WindowDaemon } from '../window-daemon.ts';

const given = parseDaemonArguments(process.argv.slice(2));
if (!given) throw new Error('It has no help.');
const { platform, env } = process;

const guardian = new GuardianKeeper({
  start: async () => {
    const places = { appPath: projectDir, resourcesPath: '', isPackaged: false, platform, path: env['PATH'] ?? '' };
    const program = await guardProgram(places);
    const assetsDir = join(projectDir, 'assets');
    const started = program && startGuardian(program, await guardAssignment(given, { assetsDir, hasWindow: true }));
    console.log(`guardian ${started?.pid}`);
    return started;
  },
  clock: systemClock,
  log: createLogger('info'),
});
const daemon = new WindowDaemon({
  host: null as never, // asks only where a port is in use or another daemon runs
  version: '0.0.0-test',
  createDaemon: () => createDaemon({ ...given, version: '0.0.0-test', resources: testResources }),
  runningDaemon: async () => null,
  guardian,
});
let signals = 0;
const onSignal = () => {
  signals += 1;
  if (signals === 1) void daemon.stop().then((isOrderly) => process.exit(isOrderly ? 0 : 1));
  else void daemon.kill().finally(() => process.exit(1));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
console.log(`main is at ${await daemon.start()}/`);
