import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Endpoints } from '../../../daemon/endpoints/endpoints.ts';
import { fileOf } from '../../../daemon/endpoints/records/endpoint-files.ts';
import { type EndpointRecord, neverServed } from '../../../daemon/endpoints/records/endpoint-record.ts';
import { noSecrets } from '../../../daemon/endpoints/records/endpoint-secrets.ts';
import { endpointsIn, partsNamed, pendingSince } from '../../../daemon/testing/models/some-endpoints.ts';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { temporaryDataDir } from '../../harness/programs.ts';
import { alternate, summary } from '../../harness/samples.ts';

const ENDPOINTS = 10_000;
const PAGE = 100;
const MOST_MS = 10;
const NAMESPACE = 'me';

/** The time to list a page of many endpoints, for pages at different positions. */
export const listEndpoints: Figure = {
  name: 'list-endpoints',
  measures: `a page of ${PAGE} of ${ENDPOINTS} endpoints, from its cursor to its JSON, pages in turn; and reading all at start-up`,
  beside: 'JSON.stringify of the same page',
  measure: async ({ quick }) => {
    await using folder = await temporaryDataDir();
    await writeRecords(folder.path);
    const loads: number[] = [];
    const delays: number[] = [];
    let endpoints = endpointsIn(folder.path);
    for (let sample = 0; sample < (quick ? 1 : 5); sample++) {
      endpoints = endpointsIn(folder.path);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const startedMs = monotonicMs();
      await endpoints.load();
      loads.push(monotonicMs() - startedMs);
      delay.disable();
      delays.push(delay.max / 1e6);
    }
    const pages = pagesOf(endpoints);
    let page: Awaited<ReturnType<Endpoints['list']>> = { items: [] };
    const taken = await alternate(
      quick ? 2 : 1_000,
      async () => {
        const startedMs = monotonicMs();
        page = await pages.next();
        JSON.stringify(page);
        return monotonicMs() - startedMs;
      },
      async () => {
        const startedMs = monotonicMs();
        JSON.stringify(page);
        return monotonicMs() - startedMs;
      },
    );
    return [
      row('list-endpoints', 'ms', taken, () => ({ text: `p99 ≤ ${MOST_MS} ms`, mostAtP99: MOST_MS })),
      row('list-endpoints, read at start-up', 'ms', { ours: summary(loads), beside: null }),
      row('list-endpoints, longest event loop delay', 'ms', { ours: summary(delays), beside: null }),
    ];
  },
};

/** Reads page after page, and starts again after the last. */
function pagesOf(endpoints: Endpoints) {
  let cursor: string | undefined;
  return {
    next: async () => {
      const page = await endpoints.list(NAMESPACE, { limit: PAGE, cursor });
      if (page.items.length !== PAGE) throw new Error(`A page has ${page.items.length} endpoints.`);
      cursor = page.nextCursor;
      return page;
    },
  };
}

/** Writes endpoints as the daemon stores them. */
async function writeRecords(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let number = 0; number < ENDPOINTS; number++) {
    const name = `endpoint-${number}`;
    const createdAt = new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
    const record: EndpointRecord = {
      namespace: NAMESPACE,
      endpoint: { ...partsNamed(name), status: pendingSince(createdAt) },
      reasons: ['It is the best one that fits on this machine: it needs 7.0 GB and 12.4 GB are free.'],
      sealed: noSecrets,
      ...neverServed,
      life: [],
    };
    await writeFile(join(folder, fileOf({ namespace: NAMESPACE, name })), JSON.stringify(record));
  }
}
