import { daemonAt } from '../../../daemon/client/node/daemon-at.ts';
import { requireSharedClock } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { openProbeApp, PROBE_APP } from '../../harness/probe-app.ts';
import { alternate } from '../../harness/samples.ts';
import { startEndpointBench } from './endpoint-bench.ts';

const OVER_WITHOUT_MS = 30;

/** The time that the check of an endpoint, its variables and its key add to the start of an app. */
export const startWithEndpoint: Figure = {
  name: 'start-with-endpoint',
  measures: "from just before POST start-app to the entry of the app's run(), with a running endpoint assigned to it",
  beside: 'the same app on the same daemon without an assigned endpoint',
  measure: async ({ quick }) => {
    requireSharedClock();
    const { daemon, token, endpoint } = await startEndpointBench('none');
    await using probe = await openProbeApp(daemon);
    const client = daemonAt(daemon.url, { token });
    const params = { appName: PROBE_APP, need: 'model' };
    const startMs = async (isAssigned: boolean) => {
      const wanted = isAssigned ? { namespace: 'lab', name: endpoint.name } : null;
      await client.call('assignEndpoint', { params, body: { endpoint: wanted } });
      const tookMs = await probe.start();
      await probe.stop();
      return tookMs;
    };
    const taken = await alternate(
      quick ? 2 : 30,
      () => startMs(true),
      () => startMs(false),
    );
    const aim = { text: `≤ without + ${OVER_WITHOUT_MS} ms`, most: taken.beside.median + OVER_WITHOUT_MS };
    return [row('start-with-endpoint', 'ms', taken, () => aim)];
  },
};
