import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerCleanup } from '../../harness/cleanup.ts';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { enteredMs, openProbeApp, PROBE_APP } from '../../harness/probe-app.ts';
import { benchDir } from '../../harness/programs.ts';
import { alternate } from '../../harness/samples.ts';

const AIM_MS = 500;

/** How long an author waits after a change of the code until the new code runs. */
export const ownAppReload: Figure = {
  name: 'own-app-reload',
  measures: "from just before a Python file is changed to the entry of the new process's run()",
  beside: 'the same app, from just before POST restart-current-app, with the return to the default position',
  measure: async ({ quick }) => {
    await using probe = await openProbeApp();
    const folder = await mkdtemp(join(tmpdir(), 'robot-bench-own-'));
    await using _removal = registerCleanup(() => rm(folder, { recursive: true, force: true }));
    await cp(join(benchDir, 'apps', PROBE_APP), folder, { recursive: true });
    await probe.daemon.call('removeApp', { params: { appName: PROBE_APP } });
    const { id } = await probe.daemon.call('addOwnApp', { body: { folder } });
    /** The milliseconds from a moment just before `work` to the next entry of `run()`. */
    const untilEntered = async (work: () => Promise<unknown>) => {
      const entered = enteredMs(probe.events);
      const beganMs = monotonicMs();
      await work();
      return (await entered) - beganMs;
    };
    await untilEntered(() => probe.daemon.call('runOwnApp', { params: { ownAppId: id } }));
    const taken = await alternate(
      quick ? 2 : 30,
      () => untilEntered(() => appendFile(join(folder, PROBE_APP, 'main.py'), '\n# changed\n')),
      () => untilEntered(() => probe.daemon.call('restartCurrentApp')),
    );
    await probe.stop();
    return [row('own-app-reload', 'ms', taken, () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS }))];
  },
};
