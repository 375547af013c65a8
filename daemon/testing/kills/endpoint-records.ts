import { mkdtempDisposable, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { fileOf } from '../../endpoints/records/endpoint-files.ts';
import { refOf } from '../../endpoints/records/endpoint-record.ts';
import { createLogger } from '../../shared/logger.ts';
import { endpointsIn } from '../models/some-endpoints.ts';
import type { KilledProgram, KilledWork } from './killed-work.ts';

/** Creates an endpoint every few milliseconds. */
const program = join(import.meta.dirname, '..', 'models', 'make-endpoints.ts');
const WITHIN_MS = 60;
/** The longest start of the process, on a busy machine. */
const BEGINS_MS = 60_000;

/** A process creates, changes and removes endpoints: each is complete or absent. */
export const endpointRecords: KilledWork = {
  name: 'a process that writes endpoints',
  parts: ['its writes'],
  kills: 6,
  begin: async () => new KilledRecords(await mkdtempDisposable(join(tmpdir(), 'endpoints-'))),
};

class KilledRecords implements KilledProgram {
  readonly #folder: AsyncDisposable & { readonly path: string };
  /** The tags of the endpoints that exist after the earlier kills, by name. */
  readonly #there = new Map<string, string[]>();

  constructor(folder: AsyncDisposable & { readonly path: string }) {
    this.#folder = folder;
  }

  async kill(_part: string, number: number, random: () => number): Promise<string> {
    const folder = this.#folder.path;
    const output = await workAndDie(folder, number, random() * WITHIN_MS);
    expect(output).not.toEqual([]);
    const log: string[] = [];
    const endpoints = endpointsIn(folder, { log: createLogger('debug', (line) => log.push(line)) });
    await endpoints.load();
    expect(log).toEqual([]); // nothing was damaged
    const found = new Map<string, string[]>();
    const stored = endpoints.records.map((record) => fileOf(refOf(record)));
    for (const { endpoint } of endpoints.records) found.set(endpoint.name, endpoint.tags);
    const isReported = (what: string, name: string) => output.includes(`${what} ${name}`);
    for (const name of output.filter((line) => line.startsWith('made ')).map((line) => line.slice('made '.length))) {
      if (isReported('removed', name)) expect(found, name).not.toContain(name);
      else if (!isReported('removing', name)) expect(found.get(name), name).toBeDefined();
      if (isReported('changed', name)) expect(found.get(name), name).toEqual(['changed']);
    }
    // Earlier endpoints are untouched; at most the one in progress was stored without being reported.
    for (const [name, tags] of this.#there) expect(found.get(name), name).toEqual(tags);
    const unreported = [...found.keys()].filter((name) => !this.#there.has(name) && !isReported('made', name));
    expect(unreported.length).toBeLessThanOrEqual(1);
    for (const [name, tags] of found) this.#there.set(name, tags);
    expect((await readdir(folder)).sort()).toEqual(stored.sort());
    return unreported.length === 0 ? 'all reported' : 'one not reported';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
    expect(this.#there.size).toBeGreaterThan(0);
  }
}

/**
 * Kills the process a while after its first endpoint. Its output is a file: lines for a full pipe would stay in the process
 * and die with it.
 * @returns the lines of its output
 */
async function workAndDie(folder: string, turn: number, workMs: number): Promise<string[]> {
  const path = `${folder}-output`;
  const args = [process.execPath, program, folder, String(turn), path];
  const child = execa('sh', ['-c', 'exec "$0" "$1" "$2" "$3" > "$4"', ...args], { stderr: 'inherit', reject: false });
  await vi.waitFor(async () => expect((await stat(path)).size).toBeGreaterThan(0), {
    timeout: BEGINS_MS,
    interval: 5,
  });
  await sleep(workMs);
  child.kill('SIGKILL');
  await child;
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  await rm(path);
  return lines;
}
