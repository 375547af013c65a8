import { expect, test } from 'vitest';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { noCardPlaces } from '../../testing/models/no-graphics-cards.ts';
import { placeOf } from '../../testing/models/place-on-card.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { progressText } from '../preparation/start-report.ts';
import { neverServed } from '../records/endpoint-record.ts';
import { noSecrets } from '../records/endpoint-secrets.ts';
import type { EndpointRuntime } from '../runtime/endpoint-runtime.ts';
import { type ReplicaPlansDeps, replicaPlans } from './replica-plans.ts';

const never = new AbortController().signal;
/** 64 KiB a token. */
const facts = {
  ...{ architecture: 'llama', name: null, parameterCount: null, contextLength: 8_192, fileType: null },
  ...{ shape: { layers: 16, kvHeads: 8, headDim: 128 }, hasChatTemplate: true, pooling: null, isClassifier: false },
  sizeBytes: 1e6,
};
const files = { modelPath: '/m.gguf', mmprojPath: null, draftPath: null, commit: 'c1', facts };

function planOf(
  { image = {}, args = null }: { image?: object; args?: string[] | null },
  ensure: ReplicaPlansDeps['models']['ensure'],
  more: Partial<ReplicaPlansDeps> = {},
  { accelerator = 'cpu' as 'cpu' | 'gpu', mayUseProcessor = false } = {},
) {
  const plain = partsNamed('chat');
  const parts = partsNamed('chat', {
    compute: { ...plain.compute, accelerator },
    model: {
      ...{ repository: 'ada/tiny', framework: 'llamacpp', args },
      image: { llamacpp: { url: 'u', modelPath: '/repository/tiny.gguf', ...image } },
    },
  });
  const endpoint = { ...parts, status: pendingSince('2026-11-22T10:00:00.000Z') };
  return replicaPlans({
    guard: async () => {},
    requireRoom: async () => {},
    runtimeFor: async () => scriptedRuntime(),
    models: {
      ensure,
      ensureRepository: async () => ({ folder: '/models/tiny', commit: 'c1' }),
      check: async () => facts,
    },
    secretsOf: async () => noSecrets,
    foundChatTemplate: async () => {},
    sockets: { pathFor: async (id) => `/sockets/${id}` },
    threads: 1,
    availableBytes: () => 1e9,
    ...noCardPlaces,
    capacityBytes: () => 1e9,
    clock: manualClock(),
    ...more,
  })(
    {
      namespace: 'me',
      endpoint,
      reasons: [],
      sealed: noSecrets,
      ...neverServed,
      mayUseProcessor,
      life: [],
    },
    { replacedSlots: () => 0, serveOnCard: () => false },
  );
}

test('a replica that is started again gets the version of the model that the first one got', async () => {
  const prefersCopy: (boolean | undefined)[] = [];
  const plan = planOf({}, async (wanted) => {
    prefersCopy.push(wanted.prefersCopy ?? false);
    if (prefersCopy.length === 1) throw new Error('not yet');
    return files;
  });
  await expect(plan.prepare(never, () => {})).rejects.toThrow('not yet');
  await plan.prepare(never, () => {});
  await plan.prepare(never, () => {});
  expect(prefersCopy).toEqual([false, false, true]);
});

test.each([
  [{ image: { ctxSize: 8_192 } }, null],
  [{ image: { ctxSize: 1_000_000 } }, 'The model needs at least 65.5 GB of memory'],
  [{ args: ['-c', '1000000'] }, 'The model needs at least 65.5 GB of memory'],
  [{ args: ['--ctx_size=1000000', '--temp', '1'] }, 'The model needs at least 65.5 GB of memory'],
  [{ args: ['-c', '25000', '--cache-type-k', 'q4_0'] }, null],
  [{ image: { ctxSize: 1_000_000 }, args: ['-c', '1000000', '--ctx-size', '0'] }, null],
])('the memory for %j is checked before a start', async (model, problem) => {
  const prepared = planOf(model, async () => files).prepare(never, () => {});
  if (problem === null) await prepared;
  else await expect(prepared).rejects.toThrow(problem);
});

test('a container gets its image with the password of its account, then the whole repository', async () => {
  const done: string[] = [];
  const fetched: (string | null)[] = [];
  const runtime: EndpointRuntime = {
    ...scriptedRuntime(),
    modelNeed: () => 'repository',
    fetch: async ({ imagePassword, report }) => {
      fetched.push(imagePassword);
      report.at('pull', '1 of 2 layers');
    },
  };
  const plan = planOf({}, () => Promise.reject(new Error('not asked')), {
    runtimeFor: async () => runtime,
    secretsOf: async () => ({ variables: {}, imagePassword: 'geheim' }),
  });
  const prepared = await plan.prepare(never, (progress) => done.push(progressText(progress)));
  expect(prepared).toEqual({ runtime, model: { kind: 'repository', folder: '/models/tiny' } });
  expect(fetched).toEqual(['geheim']);
  expect([...new Set(done)]).toEqual(['Downloading the image.', 'Downloading the image: 1 of 2 layers.']);
});

test('a machine that lacks a container engine says what to do, and asks for no download', async () => {
  const problem = 'To run vLLM, this machine needs a container engine. None answers.';
  const plan = planOf({}, () => Promise.reject(new Error('not asked')), {
    runtimeFor: async () => ({ reason: 'container-engine', problem, action: 'Install Podman.' }),
  });
  await expect(plan.prepare(never, () => {})).rejects.toMatchObject({
    failure: { reason: 'container-engine', message: problem, action: 'Install Podman. Then resume the endpoint.' },
  });
});

test.each([
  ['a program that goes on after a daemon that was killed is guarded before it starts', true, 1],
  ['a program that ends with its daemon needs no guardian', false, 0],
])('%s', async (_, outlivesDaemon, expected) => {
  let guards = 0;
  const plan = planOf({}, async () => files, {
    runtimeFor: async () => ({ ...scriptedRuntime(), outlivesDaemon }),
    guard: async () => {
      guards += 1;
    },
  });
  await plan.prepare(never, () => {});
  expect(guards).toBe(expected);
});

test('it starts once its guardian runs, or without one after two seconds', async () => {
  const clock = manualClock();
  const { promise: guarding, resolve: guard } = Promise.withResolvers<void>();
  const ended: string[] = [];
  const prepare = (name: string, guard: () => Promise<void>) => {
    const runtimeFor = async () => ({ ...scriptedRuntime(), outlivesDaemon: true });
    const plan = planOf({}, async () => files, { runtimeFor, guard, clock });
    void plan.prepare(never, () => {}).then(() => ended.push(name));
  };
  prepare('guarded', () => guarding);
  prepare('unguarded', () => new Promise(() => {}));
  await clock.advance(1_999);
  expect(ended).toEqual([]);
  guard();
  await clock.advance(0);
  expect(ended).toEqual(['guarded']);
  await clock.advance(1);
  expect(ended).toEqual(['guarded', 'unguarded']);
});

const onCard = { accelerator: 'gpu', mayUseProcessor: true } as const;

test('a replica gets its place on the card last, so that nothing can fail while it is held', async () => {
  const done: string[] = [];
  const place = placeOf({ freeBytes: 4e9 });
  const failing = { secrets: true };
  const plan = planOf(
    { image: { mainGpu: 1 } },
    async () => files,
    {
      secretsOf: async () => {
        done.push('secrets');
        if (failing.secrets) throw new Error('no key');
        return noSecrets;
      },
      sockets: {
        pathFor: async (id) => {
          done.push('socket');
          return `/sockets/${id}`;
        },
      },
      places: {
        take: async (wanted) => {
          done.push(`place on ${wanted}`);
          return place;
        },
      },
    },
    onCard,
  );
  const { model } = await plan.prepare(never, () => {});
  await expect(plan.start(model, never, () => {})).rejects.toThrow('no key');
  failing.secrets = false;
  expect((await plan.start(model, never, () => {}))?.spec).toMatchObject({
    card: place,
    parts: { compute: { accelerator: 'gpu' } },
  });
  expect(done).toEqual(['secrets', 'secrets', 'socket', 'place on 1']);
});

test('a start on the card ends with its preparation, and the memory of the machine is not asked for', async () => {
  const steps: string[][] = [];
  const withPlace = { places: { take: async () => placeOf() } };
  const plan = planOf({ image: { ctxSize: 1_000_000 } }, async () => files, withPlace, onCard);
  const { model } = await plan.prepare(never, (progress) => steps.push(progress.steps.map(({ name }) => name)));
  expect(steps[0]?.slice(-3)).toEqual(['start', 'load', 'warm']);
  expect([plan.availableBytes(), (await plan.start(model, never, () => {}))?.spec.card]).toMatchObject([
    null,
    { freeBytes: 8e9 },
  ]);
});

test('one whose card cannot be used when its turn comes is prepared again, for the processor and its memory', async () => {
  const problem = cardProblem('card-lost');
  const placed: unknown[] = [];
  const more: Partial<ReplicaPlansDeps> = {
    runtimeFor: async () => ({ ...scriptedRuntime(), cardPlace: 'needed' }),
    places: { take: async () => problem },
    placed: async (_of, notOnCard) => void placed.push(notOnCard),
  };
  const plan = planOf({ image: { ctxSize: 1_000_000 } }, async () => files, more, onCard);
  const { model } = await plan.prepare(never, () => {});
  expect(await plan.start(model, never, () => {})).toBeNull();
  expect([plan.parts().compute.accelerator, placed, plan.availableBytes()]).toEqual(['cpu', [problem], 1e9]);
  await expect(plan.prepare(never, () => {})).rejects.toThrow('The model needs at least 65.5 GB of memory');
});
