import { join } from 'node:path';
import { childEnvironment } from '../../../daemon/shared/processes/child-environment.ts';
import { projectDir } from '../../../daemon/testing/daemon/test-daemon.ts';
import { startBenchDaemon } from '../../harness/bench-daemon.ts';
import { startChild } from '../../harness/child.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { benchProgram } from '../../harness/programs.ts';
import { systemPython } from '../../harness/python.ts';
import { summary } from '../../harness/samples.ts';

/** The output of set_target_round_trips.py. */
interface RoundTrips {
  readonly setTargetMs: readonly number[];
  readonly echoMs: readonly number[];
  readonly callsPerSecond: number;
  readonly refusals: readonly string[];
}

/** The time until the daemon has applied a target, for head, antennas and body in a slow sway, 50 times a second. */
export const sdkSetTarget: Figure = {
  name: 'sdk-set-target',
  measures: "from the call of the SDK's set_target to the pong for a ping that follows it on the same ordered socket",
  beside: "the same bytes to a ws echo server and back, over the SDK's own WebSocket client",
  measure: async ({ quick }) => {
    const python = await systemPython();
    await using daemon = await startBenchDaemon();
    await using echo = startChild(process.execPath, [benchProgram('bare-echo.ts')]);
    const args = ['-B', '-u', benchProgram('set_target_round_trips.py'), daemon.url, await echo.line()];
    await using program = startChild(python.executable, [...args, String(quick ? 50 : 1000)], {
      ...childEnvironment(process.env, ''),
      PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
    });
    const taken = JSON.parse(await program.line()) as RoundTrips;
    if (taken.refusals.length > 0) throw new Error(`The daemon refused targets: ${taken.refusals.join(', ')}.`);
    return [
      row('sdk-set-target', 'ms', { ours: summary(taken.setTargetMs), beside: summary(taken.echoMs) }, () => ({
        text: '≤ 1 ms, p99 ≤ 5 ms',
        most: 1,
        mostAtP99: 5,
      })),
      row('sdk-set-target, calls a second of 50', '/s', { ours: summary([taken.callsPerSecond]), beside: null }),
    ];
  },
};
