/** The daemon is killed (SIGKILL) at seeded moments of deploys; afterwards each endpoint is complete or absent. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { Deployed } from '../../contract/endpoints/deploy.ts';
import { type Endpoint, EndpointPage } from '../../contract/endpoints/endpoint.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { type DaemonProcess, startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { withoutProgress } from '../../testing/daemon/endpoint-api.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { writeSmallCatalog } from '../../testing/models/small-catalog.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 4);
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_122);
console.log(`${kills} kills with TORTURE_SEED=${seed}`);
const random = seededRandom(seed);
/** Time for some dozens of deploys. */
const WITHIN_MS = 200;
/** The number of concurrent deploys. */
const LANES = 8;
const paths = ['/api/v1/catalog/model/ada/Tiny-GGUF/deploy', '/api/v1/catalog/recipe/tiny-q8/deploy'];

let dataDir: string;
let daemon: DaemonProcess;
let authorization: string;
/** The endpoints that exist after the earlier rounds, by name. */
let existing = new Map<string, Endpoint>();
const totals = { acknowledged: 0, unacknowledged: 0 };

const folder = () => join(dataDir, 'endpoints');
/** The daemon that runs now writes other files, of which it makes complete ones: the states of its endpoints change. */
const isComplete = (file: string) => file.endsWith('.json');

const start = async () =>
  startDaemonProcess(dataDir, ['--no-wake-up-on-start', '--catalog', join(dataDir, 'small-catalog.json')]);

beforeAll(async () => {
  dataDir = await newDataDir();
  await writeSmallCatalog(dataDir);
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  authorization = `Bearer ${(await tokens.create({ name: null, scopes: ['deploy'], namespaces: null })).text}`;
  daemon = await start();
});
afterAll(async () => {
  console.log(`kills: ${totals.acknowledged} acknowledged, ${totals.unacknowledged} created without a reply`);
  await daemon?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(Array.from({ length: kills }, (_, at) => ({ number: at + 1, afterMs: random() * WITHIN_MS })))(
  'kill $number',
  async ({ number, afterMs }) => {
    const acknowledged = new Map<string, Endpoint>();
    const asked = new Set<string>();
    const first = Promise.withResolvers<void>();

    /** Deploys repeatedly until the daemon no longer answers. */
    async function deployOn(lane: number): Promise<void> {
      for (let turn = 0; ; turn++) {
        const name = `k${number}-${lane}-${turn}`;
        asked.add(name);
        const response = await fetch(daemon.url + (paths[turn % 2] ?? ''), {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ namespace: 'lab', config: { name, scaling: { maxReplica: turn + 1 } } }),
        });
        const { endpoint } = Deployed.parse(await response.json());
        acknowledged.set(name, endpoint);
        first.resolve();
      }
    }
    const lanes = Promise.allSettled(Array.from({ length: LANES }, (_, lane) => deployOn(lane)));
    await first.promise;
    await sleep(afterMs);
    await daemon.kill();
    for (const lane of await lanes) {
      // The only failure is the broken connection.
      expect(lane.status === 'rejected' && lane.reason).toBeInstanceOf(TypeError);
    }

    const unfinished = (await readdir(folder())).filter((file) => !isComplete(file));
    daemon = await start();
    const found = await listed();
    for (const [name, endpoint] of [...existing, ...acknowledged])
      expect(lasting(found.get(name)), name).toEqual(lasting(endpoint));
    const unacknowledged = [...found.keys()].filter((name) => !existing.has(name) && !acknowledged.has(name));
    expect(unacknowledged.length).toBeLessThanOrEqual(LANES);
    for (const name of unacknowledged) {
      expect(asked).toContain(name);
      expect(found.get(name)).toMatchObject({
        model: { repository: 'ada/Tiny-GGUF' },
        status: { state: expect.stringMatching(/^(pending|initializing|failed)$/) },
      });
    }
    const files = [...found.keys()].map((name) => `endpoint-${name}.json`);
    const present = await readdir(folder());
    expect(present.filter(isComplete).toSorted()).toEqual(files.toSorted());
    expect(present.filter((file) => unfinished.includes(file))).toEqual([]);
    existing = found;
    totals.acknowledged += acknowledged.size;
    totals.unacknowledged += unacknowledged.length;
  },
  60_000,
);

/** An endpoint without the fields that its start changes, and without the address, which differs between daemons. */
function lasting(endpoint: Endpoint | undefined) {
  if (!endpoint) return endpoint;
  const { status, ...parts } = withoutProgress(endpoint);
  const { url: _, ...ofCreation } = status;
  return { ...parts, status: ofCreation };
}

/** Reads all endpoints, each complete. */
async function listed(): Promise<Map<string, Endpoint>> {
  const found = new Map<string, Endpoint>();
  for (let cursor = ''; ; ) {
    const response = await fetch(`${daemon.url}/v2/endpoint/lab?limit=100${cursor}`, { headers: { authorization } });
    const { items, nextCursor } = EndpointPage.parse(await response.json());
    for (const endpoint of items) found.set(endpoint.name, endpoint);
    if (nextCursor === undefined) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}
