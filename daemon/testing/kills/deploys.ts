import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Deployed } from '../../contract/endpoints/deploy.ts';
import { type Endpoint, EndpointPage } from '../../contract/endpoints/endpoint.ts';
import { fileOf } from '../../endpoints/records/endpoint-files.ts';
import { withoutProgress } from '../daemon/endpoint-api.ts';
import { DaemonToKill } from './daemon-to-kill.ts';
import type { KilledProgram, KilledWork } from './killed-work.ts';

/** Time for some dozens of deploys. */
const WITHIN_MS = 200;
/** The number of concurrent deploys. */
const LANES = 8;
const paths = ['/api/v1/catalog/model/ada/Tiny-GGUF/deploy', '/api/v1/catalog/recipe/tiny-q8/deploy'];

/** Several deploy at once: each endpoint is complete, or absent where nobody was told of it. */
export const deploys: KilledWork = {
  name: 'a daemon that deploys',
  parts: ['deploys'],
  kills: 4,
  begin: async () => new KilledDeploys(await DaemonToKill.begin()),
};

class KilledDeploys implements KilledProgram {
  readonly #daemon: DaemonToKill;
  /** The endpoints that exist after the earlier kills, by name. */
  #existing: ReadonlyMap<string, Endpoint> = new Map();

  constructor(daemon: DaemonToKill) {
    this.#daemon = daemon;
  }

  async kill(_part: string, number: number, random: () => number): Promise<string> {
    const acknowledged = new Map<string, Endpoint>();
    const asked = new Set<string>();
    const first = Promise.withResolvers<void>();

    /** Deploys repeatedly until the daemon no longer answers. */
    const deployOn = async (lane: number): Promise<void> => {
      for (let turn = 0; ; turn++) {
        const name = `k${number}-${lane}-${turn}`;
        asked.add(name);
        const config = { name, scaling: { maxReplica: turn + 1 } };
        const response = await this.#daemon.ask('POST', paths[turn % 2] ?? '', { namespace: 'lab', config });
        const { endpoint } = Deployed.parse(await response.json());
        acknowledged.set(name, endpoint);
        first.resolve();
      }
    };
    const lanes = Promise.allSettled(Array.from({ length: LANES }, (_, lane) => deployOn(lane)));
    await Promise.race([first.promise, lanes]); // where all fail, there is no first
    await sleep(random() * WITHIN_MS);
    await this.#daemon.kill();
    for (const lane of await lanes) {
      // The only failure is the broken connection.
      expect(lane.status === 'rejected' && lane.reason).toBeInstanceOf(TypeError);
    }

    const unfinished = (await this.#files()).filter((file) => !isComplete(file));
    await this.#daemon.next();
    const found = await this.#listed();
    for (const [name, endpoint] of [...this.#existing, ...acknowledged])
      expect(lasting(found.get(name)), name).toEqual(lasting(endpoint));
    const unacknowledged = [...found.keys()].filter((name) => !this.#existing.has(name) && !acknowledged.has(name));
    expect(unacknowledged.length).toBeLessThanOrEqual(LANES);
    for (const name of unacknowledged) {
      expect(asked).toContain(name);
      expect(found.get(name)).toMatchObject({
        model: { repository: 'ada/Tiny-GGUF' },
        status: { state: expect.stringMatching(/^(pending|initializing|failed)$/) },
      });
    }
    const files = [...found.keys()].map((name) => fileOf({ namespace: 'lab', name }));
    const present = await this.#files();
    expect(present.filter(isComplete).toSorted()).toEqual(files.toSorted());
    expect(present.filter((file) => unfinished.includes(file))).toEqual([]);
    this.#existing = found;
    return unacknowledged.length === 0 ? 'all told' : 'some created without a reply';
  }

  #files(): Promise<string[]> {
    return readdir(join(this.#daemon.dataDir, 'endpoints'));
  }

  /** Reads all endpoints, each complete. */
  async #listed(): Promise<Map<string, Endpoint>> {
    const found = new Map<string, Endpoint>();
    for (let cursor = ''; ; ) {
      const response = await this.#daemon.ask('GET', `/v2/endpoint/lab?limit=100${cursor}`);
      const { items, nextCursor } = EndpointPage.parse(await response.json());
      for (const endpoint of items) found.set(endpoint.name, endpoint);
      if (nextCursor === undefined) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#daemon[Symbol.asyncDispose]();
  }
}

/** The daemon that runs now writes other files, of which it makes complete ones: the states of its endpoints change. */
function isComplete(file: string): boolean {
  return file.endsWith('.json');
}

/** An endpoint without the fields that its start changes, and without the address, which differs between daemons. */
function lasting(endpoint: Endpoint | undefined) {
  if (!endpoint) return endpoint;
  const { status, ...parts } = withoutProgress(endpoint);
  const { url: _, ...ofCreation } = status;
  return { ...parts, status: ofCreation };
}
