/** Kills the process that creates endpoints (SIGKILL) at seeded moments; each endpoint is then complete or absent. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { endpointsIn } from '../testing/models/some-endpoints.ts';
import { seededRandom } from '../testing/seeded-random.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 6);
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_122);
/** Creates an endpoint every few milliseconds. */
const WITHIN_MS = 60;
const program = fileURLToPath(import.meta.resolve('../testing/models/make-endpoints.ts'));

/** Kills the process a while after its first endpoint. @returns its output */
async function workAndDie(folder: string, turn: number, workMs: number): Promise<string[]> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = execa(process.execPath, [program, folder, String(turn)], { stdio, buffer: false, reject: false });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const over = once(lines, 'close');
  lines.on('line', (line) => output.push(line));
  await Promise.race([once(lines, 'line'), child]);
  await sleep(workMs);
  child.kill('SIGKILL');
  await child;
  await over;
  return output;
}

test(`${kills} kills with TORTURE_SEED=${seed} leave every endpoint complete or absent`, async () => {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const there = new Map<string, string[]>();
  for (let turn = 0; turn < kills; turn++) {
    const output = await workAndDie(folder, turn, random() * WITHIN_MS);
    expect(output).not.toEqual([]);
    const log: string[] = [];
    const endpoints = endpointsIn(folder, { log: createLogger('debug', (line) => log.push(line)) });
    await endpoints.load();
    expect(log).toEqual([]); // nothing was damaged
    const found = new Map<string, string[]>();
    const { pages } = await endpoints.listing({ page: 1, limit: 100 });
    for (let page = 1; page <= pages; page++) {
      for (const { endpoint } of (await endpoints.listing({ page, limit: 100 })).records) {
        found.set(endpoint.name, endpoint.tags);
      }
    }
    const isReported = (what: string, name: string) => output.includes(`${what} ${name}`);
    for (const name of output.filter((line) => line.startsWith('made ')).map((line) => line.slice('made '.length))) {
      if (isReported('removed', name)) expect(found, name).not.toContain(name);
      else if (!isReported('removing', name)) expect(found.get(name), name).toBeDefined();
      if (isReported('changed', name)) expect(found.get(name), name).toEqual(['changed']);
    }
    // Earlier endpoints are untouched; at most the one in progress was stored without being reported.
    for (const [name, tags] of there) expect(found.get(name), name).toEqual(tags);
    const unreported = [...found.keys()].filter((name) => !there.has(name) && !isReported('made', name));
    expect(unreported.length).toBeLessThanOrEqual(1);
    for (const [name, tags] of found) there.set(name, tags);
    const files = (await readdir(folder)).sort();
    expect(files).toEqual([...found.keys()].map((name) => `endpoint-${name}.json`).sort());
  }
  expect(there.size).toBeGreaterThan(kills);
}, 600_000);
