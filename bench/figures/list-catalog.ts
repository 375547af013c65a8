import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asCatalogFile, generatedCatalog } from '../../daemon/testing/models/generated-catalog.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { type Figure, row } from '../harness/figure.ts';
import { busyResponseMs, type KeepAliveClient, keepAliveClient } from '../harness/keep-alive-client.ts';
import { bareExpress, startAndWait, temporaryDataDir } from '../harness/programs.ts';
import type { Row } from '../harness/rows.ts';
import { alternate, type Summary, summary } from '../harness/samples.ts';

const PATH = '/api/v1/catalog/list';
const MANY = 10_000;
const CONNECTIONS = 8;
/** The aim: at least this share of a bare server's rate. */
const LEAST_SHARE = 0.8;
const LIMIT = 50;
const MOST_MS = 10;

/** Filters that match many, some, few and no models; search words in many, few and no models, short and combined. */
const queries = [
  '',
  'accelerator=cpu',
  'engine=sglang',
  'accelerator=gpu&engine=tei',
  'license=cc-by-4.0',
  'license=none-has-this',
  'task=table-question-answering',
  'search=gguf',
  'search=heron-2.4-70b',
  'search=none-has-this',
  'search=zq',
  'search=kestrel%20coder%20gemma',
  'search=q4_k_m%20cc-by&accelerator=cpu&task=translation',
];

/** The time to list the catalog, as shipped and enlarged. */
export const listCatalog: Figure = {
  name: 'list-catalog',
  measures: `GET ${PATH}, to the last byte, on keep-alive connections: the shipped catalog, one request at a time and ${CONNECTIONS} at once; and ${MANY} generated models, 50 of them and all`,
  beside: 'a bare Express server that sends the same bytes from memory, requested in the same way',
  measure: async ({ quick }) => {
    using client = keepAliveClient();
    return [...(await shipped(client, quick)), ...(await enlarged(client, quick))];
  },
};

async function shipped({ get }: KeepAliveClient, quick: boolean): Promise<Row[]> {
  await using daemon = await startBenchDaemon();
  await using folder = await temporaryDataDir();
  const url = daemon.url + PATH;
  const { body } = await get(url);
  if (itemsIn(body) < 100) throw new Error('The daemon lists fewer models than the shipped catalog has.');
  const file = join(folder.path, 'list.json');
  await writeFile(file, body);
  const bare = await bareExpress(file);
  await using _server = await startAndWait(bare);
  const single = await alternate(
    quick ? 2 : 1_000,
    async () => (await get(url)).tookMs,
    async () => (await get(bare.url)).tookMs,
  );
  const answers = quick ? 16 : 1_000;
  const busy = await alternate(
    quick ? 2 : 10,
    () => busyResponseMs(url, CONNECTIONS, answers),
    () => busyResponseMs(bare.url, CONNECTIONS, answers),
  );
  const rates = { ours: perSecond(busy.ours), beside: perSecond(busy.beside) };
  return [
    row('list-catalog, shipped', 'ms', single),
    row(`list-catalog, shipped, ${CONNECTIONS} at once`, 'ms', busy, ({ median }) => ({
      text: `≥ ${LEAST_SHARE} × bare rate`,
      most: median / LEAST_SHARE,
    })),
    row('list-catalog, responses a second', '/s', rates),
  ];
}

async function enlarged({ get }: KeepAliveClient, quick: boolean): Promise<Row[]> {
  await using folder = await temporaryDataDir();
  const file = join(folder.path, 'catalog.json');
  await writeFile(file, asCatalogFile(generatedCatalog(quick ? 1_000 : MANY)));
  await using daemon = await startBenchDaemon(['--catalog', file]);
  const rows: Row[] = [];
  for (const query of queries) {
    const url = `${daemon.url}${PATH}?limit=${LIMIT}&${query}`;
    const aim = { text: `p99 ≤ ${MOST_MS} ms`, mostAtP99: MOST_MS };
    const taken = await samples(quick ? 2 : 500, async () => (await get(url)).tookMs);
    rows.push(
      row(
        `list-catalog, ${LIMIT} of many: ${decodeURIComponent(query) || 'any'}`,
        'ms',
        { ours: summary(taken), beside: null },
        () => aim,
      ),
    );
  }
  const waits: number[] = [];
  const whole = await samples(quick ? 2 : 10, async () => {
    const reading = busyResponseMs(daemon.url + PATH, 1, 1);
    waits.push(await longestWait(() => get(`${daemon.url}/api/daemon/status`), reading));
    return reading;
  });
  return [
    ...rows,
    row('list-catalog, all of many', 'ms', { ours: summary(whole), beside: null }),
    row('list-catalog, longest other request meanwhile', 'ms', { ours: summary(waits.slice(1)), beside: null }),
  ];
}

/** The first sample warms up and does not count. */
async function samples(count: number, take: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn <= count; turn++) taken.push(await take());
  return taken.slice(1);
}

/** Repeats a request until `until` settles. @returns the longest time, in milliseconds */
async function longestWait(request: () => Promise<{ tookMs: number }>, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) longest = Math.max(longest, (await request()).tookMs);
  await over;
  return longest;
}

function itemsIn(body: Buffer): number {
  return JSON.parse(body.toString()).items.length;
}

function perSecond({ median, p99, samples: count }: Summary): Summary {
  return { median: 1_000 / median, p99: 1_000 / p99, samples: count };
}
