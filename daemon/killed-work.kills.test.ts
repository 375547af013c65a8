/**
 * Each work is killed (SIGKILL) at seeded moments, and the next process finds consistent data. `TORTURE_KILLS` is the number of
 * kills of each work, `TORTURE_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { containers } from './testing/kills/containers.ts';
import { deploys } from './testing/kills/deploys.ts';
import { downloads } from './testing/kills/downloads.ts';
import { endpointLife } from './testing/kills/endpoint-life.ts';
import { endpointRecords } from './testing/kills/endpoint-records.ts';
import type { KilledProgram, KilledWork } from './testing/kills/killed-work.ts';
import { publications } from './testing/kills/publications.ts';
import { workWithApps } from './testing/kills/work-with-apps.ts';
import { seededRandom } from './testing/seeded-random.ts';

const { TORTURE_KILLS, TORTURE_SEED = '20261121' } = process.env;
const MINUTES = 60_000;

/** The longest first: some of them run at once, since they wait more than they compute. */
const all: readonly KilledWork[] = [
  ...[containers, workWithApps, endpointLife, publications, deploys, downloads, endpointRecords],
];

describe.concurrent.each(all.map((work) => ({ ...work, seed: TORTURE_SEED })))(
  '$name, with TORTURE_SEED=$seed',
  ({ name, parts, kills, begin }) => {
    const total = Number(TORTURE_KILLS ?? kills);
    /** The number of kills by what they met. */
    const met = new Map<string, number>();
    let program: KilledProgram | string;

    beforeAll(async () => {
      program = await begin();
    }, 5 * MINUTES);
    afterAll(async () => {
      if (met.size > 0)
        console.log(`kills of ${name}: ${[...met].map(([what, count]) => `${what} ${count}`).join(', ')}`);
      if (typeof program === 'object') await program[Symbol.asyncDispose]();
    }, MINUTES);

    const rows = Array.from({ length: total }, (_, number) => ({
      ...{ number, part: parts[number % parts.length] as string },
      ...{ title: `kill ${number + 1} of ${total}: ${parts[number % parts.length]}` },
    }));
    test.for(rows)('$title', { concurrent: false, timeout: 3 * MINUTES }, async ({ number, part }, context) => {
      if (typeof program === 'string') return context.skip(program);
      const what = await program.kill(part, number, seededRandom(Number(TORTURE_SEED) + number));
      met.set(what, (met.get(what) ?? 0) + 1);
    });
  },
);
