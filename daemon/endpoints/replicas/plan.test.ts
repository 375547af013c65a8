/** The steps that bring the replicas of an endpoint in line with its record and its load, by value. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.ts';
import {
  due,
  failureEffect,
  type PlannedReplica,
  type PlannedVersion,
  type PlannedVersions,
  plan,
  type Step,
  sleepAtMs,
} from './plan.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_000_000;

interface Named extends PlannedReplica {
  readonly name: string;
}

/** A replica as a word: its name, its state where it is not ready, and its requests. */
function replica(text: string): Named {
  const [name = '', ...rest] = text.split(' ');
  const state = rest.find((word) => /[a-z]/.test(word)) ?? 'ready';
  const [requests = 0, untilS = 600] = rest.filter((word) => /^\d+$/.test(word)).map(Number);
  const isGoing = state === 'leaving' || state === 'hung';
  return { name, state: state as Named['state'], isGoing, requests, untilMs: NOW_MS + untilS * 1_000 };
}

const version = (settings: string, ...replicas: string[]): PlannedVersion<Named> => ({
  settings,
  hasFailed: false,
  replicas: replicas.map(replica),
});
const failed = (of: PlannedVersion<Named>): PlannedVersion<Named> => ({ ...of, hasFailed: true });
const none: PlannedVersions<Named> = { current: null, next: null, earlier: [], failedUpdate: null };

function text(step: Step<Named>): string {
  if ('of' in step) return `start ${step.of}`;
  if (!('replica' in step)) return step.do;
  const within = 'untilMs' in step ? ` within ${(step.untilMs - NOW_MS) / 1_000} s` : '';
  return `${step.do} ${step.replica.name}${within}`;
}

function steps(
  record: Parameters<typeof plan>[0] | string,
  versions: Partial<PlannedVersions<Named>>,
  load: Partial<Parameters<typeof plan>[1]> = {},
): string[] {
  const seen = typeof record === 'string' ? { state: record as 'running', settings: 'b' } : record;
  return plan(seen, { target: 1, mayGrow: true, ...load }, { ...none, ...versions }, NOW_MS).map(text);
}

test('an endpoint that is to run begins, and starts as many replicas as it is to have', () => {
  expect(steps('pending', {})).toEqual(['begin']);
  expect(steps('initializing', { current: version('b') }, { target: 2 })).toEqual(['start current', 'start current']);
  expect(steps('running', { current: version('b', 'x', 'y starting') }, { target: 2 })).toEqual([]);
});

test.each(['paused', 'scaledToZero', 'failed'])(
  '%s gives requests ten seconds, and ends what has none to wait for',
  (state) => {
    const versions = {
      current: version('b', 'x 1', 'y starting', 'z leaving 1 600', 'q leaving 1 5'),
      earlier: [replica('o leaving 1 20')],
    };
    expect(steps(state, versions)).toEqual([
      ...['leave x within 10 s', 'end y', 'leave z within 10 s', 'leave o within 10 s', 'rest'],
    ]);
    expect(steps(state, { earlier: [replica('x leaving 1 9'), replica('y ending')] })).toEqual([]);
  },
);

/** Carries a step out as `ReplicaVersions` does, by value. */
function carriedOut(
  step: Step<Named>,
  { current, next, earlier, failedUpdate }: PlannedVersions<Named>,
): PlannedVersions<Named> {
  const ended = (of: PlannedVersion<Named> | null) => of?.replicas ?? [];
  const all = { current, next, earlier, failedUpdate };
  const started = (of: PlannedVersion<Named> | null) =>
    of && { ...of, replicas: [...of.replicas, replica('new starting')] };
  switch (step.do) {
    case 'begin':
      return { ...all, current: version('b'), next: null, earlier: [...earlier, ...ended(current), ...ended(next)] };
    case 'begin-next':
      return { ...all, next: version('b'), earlier: [...earlier, ...ended(next)] };
    case 'promote':
      return { ...all, current: next, next: null, earlier: [...earlier, ...ended(current)] };
    case 'drop-next':
      return { ...all, next: null, earlier: [...earlier, ...ended(next)] };
    case 'rest':
      return { ...all, current: null, next: null, earlier: [...earlier, ...ended(current), ...ended(next)] };
    case 'start':
      return { ...all, [step.of]: started(all[step.of]) };
  }
  const changes = {
    leave: { state: 'leaving', isGoing: true, untilMs: 'untilMs' in step ? step.untilMs : 0 },
    stay: { state: 'ready', isGoing: false },
    end: { state: 'ending', isGoing: true },
  } as const;
  const changed = (one: Named): Named => (one === step.replica ? { ...one, ...changes[step.do] } : one);
  const within = (of: PlannedVersion<Named> | null) => of && { ...of, replicas: of.replicas.map(changed) };
  return { ...all, current: within(current), next: within(next), earlier: earlier.map(changed) };
}

test('steps that are carried out leave none to do: from any replicas, in any state, for any load', () => {
  const random = seededRandom(1);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const some = () =>
    Array.from({ length: one([0, 1, 2, 3]) }, () =>
      replica(`x ${one(['ready', 'starting', 'leaving', 'hung', 'ending'])} ${one([0, 1])}`),
    );
  const anyVersion = () =>
    one([null, { settings: one(['a', 'b', 'c']), hasFailed: one([true, false, false]), replicas: some() }]);
  const states = [
    'pending',
    'initializing',
    'running',
    'updating',
    'updateFailed',
    'paused',
    'scaledToZero',
    'failed',
  ] as const;
  for (let round = 0; round < 20_000; round++) {
    const record = one([null, { state: one(states), settings: 'b' }]);
    const load = { target: one([0, 1, 2, 3]), mayGrow: one([true, false]) };
    const before = { current: anyVersion(), next: anyVersion(), earlier: some(), failedUpdate: one([null, 'b', 'c']) };
    let versions: PlannedVersions<Named> = before;
    let times = 0;
    for (
      let left = plan(record, load, versions, NOW_MS);
      left.length > 0;
      left = plan(record, load, versions, NOW_MS)
    ) {
      versions = left.reduce((each, step) => carriedOut(step, each), versions);
      times += 1;
      if (times > 20) expect.fail(`never done: ${JSON.stringify({ record, load, before, left: left.map(text) })}`);
    }
  }
});

test('an endpoint that is gone waits for nothing', () => {
  const versions = {
    current: version('b', 'x 1'),
    next: version('c', 'y starting'),
    earlier: [replica('o leaving 1 20')],
  };
  expect(steps(null, versions)).toEqual(['end x', 'end y', 'end o', 'rest']);
});

test('settings that nothing serves yet begin again, and those before end at once', () => {
  expect(steps('pending', { current: version('a', 'x starting', 'y leaving 1') })).toEqual(['end x', 'end y', 'begin']);
  expect(steps('initializing', { current: version('a', 'x starting') })).toEqual(['end x', 'begin']);
  expect(steps('updating', { current: version('a', 'x starting') })).toEqual(['end x', 'begin']); // nothing serves
});

test('of replicas that go, those that are not ready go first, then those with the fewest requests, the newest first', () => {
  const current = version('b', 'w 3', 'x 1', 'y 1', 'z starting');
  expect(steps('running', { current }, { target: 2 })).toEqual(['end z', 'leave y within 600 s']);
  expect(steps('running', { current }, { target: 1 })).toEqual([
    'end z',
    'leave y within 600 s',
    'leave x within 600 s',
  ]);
});

test('replicas that leave return into service before others are started', () => {
  const current = version('b', 'w', 'x leaving 1', 'y ending', 'z leaving 2');
  expect(steps('running', { current }, { target: 2 })).toEqual(['stay x']);
  expect(steps('running', { current }, { target: 4 })).toEqual(['stay x', 'stay z', 'start current']);
});

test('a wait for requests becomes no longer by a later reason, and may become shorter', () => {
  expect(steps('running', { current: version('b', 'w', 'x leaving 1 300') })).toEqual([]);
  expect(steps('running', { current: version('b', 'w', 'x leaving 1 900') })).toEqual(['leave x within 600 s']);
});

test('after a replica that could not be kept, no other is started, but there is one', () => {
  const load = { target: 3, mayGrow: false };
  expect(steps('running', { current: version('b', 'x') }, load)).toEqual([]);
  expect(steps('running', { current: version('b') }, load)).toEqual(['start current']);
  expect(steps('running', { current: version('b', 'x', 'y') }, { target: 1, mayGrow: false })).toEqual([
    'leave y within 600 s',
  ]);
});

test('a version that has failed starts nothing more, until the record says so', () => {
  expect(steps('running', { current: failed(version('b', 'x ending')) }, { target: 2 })).toEqual([]);
});

test('an update starts one replica beside the earlier ones, which serve', () => {
  expect(steps('updating', { current: version('a', 'x', 'y') }, { target: 2 })).toEqual(['begin-next']);
  const versions = { current: version('a', 'x', 'y'), next: version('b') };
  expect(steps('updating', versions, { target: 2 })).toEqual(['start next']);
  expect(steps('updating', { ...versions, next: version('b', 'n starting') }, { target: 2 })).toEqual([]);
});

test('an update ends an earlier replica once a new one is ready, and starts the next one once that is gone', () => {
  const next = version('b', 'n');
  const load = { target: 2 };
  expect(steps('updating', { current: version('a', 'x', 'y 1'), next }, load)).toEqual(['leave x within 30 s']);
  expect(steps('updating', { current: version('a', 'x leaving 1 20', 'y 1'), next }, load)).toEqual([]);
  expect(steps('updating', { current: version('a', 'y 1'), next }, load)).toEqual(['start next']);
});

test('an update is done once every new replica is ready; the last earlier one has thirty seconds', () => {
  const versions = { current: version('a', 'y 1', 'z leaving 1 600'), next: version('b', 'n', 'm') };
  expect(steps('updating', versions, { target: 2 })).toEqual(['leave y within 30 s', 'leave z within 30 s', 'promote']);
});

test('another update takes the place of one that is under way, and its requests may end', () => {
  const versions = { current: version('a', 'x'), next: version('c', 'n 1', 'm starting') };
  expect(steps('updating', versions)).toEqual(['leave n within 30 s', 'end m', 'begin-next']);
});

test('a change back to what serves drops the update', () => {
  expect(steps('updating', { current: version('b', 'x'), next: version('c', 'n starting') })).toEqual([
    'end n',
    'drop-next',
  ]);
});

test('an update goes on alone when the earlier replicas have ended, or cannot be started', () => {
  const next = version('b', 'n starting');
  expect(steps('initializing', { current: version('a', 'x starting'), next })).toEqual(['end x', 'promote']);
  expect(steps('updating', { current: failed(version('a')), next: version('b', 'n', 'm starting') })).toEqual([
    'promote',
  ]);
});

test('a failed update ends, and is not tried again before the record says so: all earlier replicas serve', () => {
  const versions = { current: version('a', 'x'), failedUpdate: 'b' };
  expect(steps('updating', { ...versions, next: failed(version('b', 'n 1')) }, { target: 2 })).toEqual([
    ...['leave n within 30 s', 'drop-next'],
  ]);
  expect(steps('updating', versions, { target: 2 })).toEqual(['start current']);
  expect(steps('updateFailed', { current: version('a', 'x') }, { target: 2 })).toEqual(['start current']);
});

test('after a failed update, the new version is tried again once the last earlier replica has ended by itself', () => {
  expect(steps('updateFailed', { current: version('a', 'x starting') })).toEqual([]); // the record says so first
  expect(steps('initializing', { current: version('a', 'x starting') })).toEqual(['end x', 'begin']);
});

test('an update whose endpoint failed waits for the record', () => {
  expect(steps('updating', { current: version('a'), next: failed(version('b')) })).toEqual([]);
  expect(steps('updating', { current: failed(version('b')) })).toEqual([]);
});

test('replicas that leave, and hung processes, end once they have no requests, or no more time', () => {
  const all = ['a leaving 0', 'b leaving 1 0', 'c leaving 1 20', 'd hung 1 10', 'e hung 0', 'f', 'g ending'].map(
    replica,
  );
  const { ended, nextMs } = due(all, NOW_MS);
  expect([ended.map(({ name }) => name), nextMs - NOW_MS]).toEqual([['a', 'b', 'e'], 10_000]);
  expect(due([replica('f')], NOW_MS)).toEqual({ ended: [], nextMs: Number.POSITIVE_INFINITY });
});

test.each([
  ['blocked', { of: 'current', isShort: true, currentSize: 1, hasNext: false }],
  ['failed', { of: 'current', isShort: false, currentSize: 0, hasNext: false }],
  ['none', { of: 'current', isShort: true, currentSize: 1, hasNext: true }],
  ['none', { of: 'current', isShort: false, currentSize: 0, hasNext: true }], // the new version takes its place
  ['update-failed', { of: 'next', isShort: true, currentSize: 0, hasNext: true }],
  ['update-failed', { of: 'next', isShort: false, currentSize: 1, hasNext: true }],
  ['failed', { of: 'next', isShort: false, currentSize: 0, hasNext: true }],
] as const)('a replica that cannot be kept leads to %s where %j', (effect, failing) => {
  expect(failureEffect(failing)).toBe(effect);
});

test('an endpoint sleeps after its time without use, while it serves, and only where it may', () => {
  const scaling = { minReplica: 0, scaleToZeroTimeout: 15 };
  const unused = { isAny: false, lastMs: NOW_MS };
  expect(sleepAtMs('running', scaling, unused)).toBe(NOW_MS + 15 * MINUTE_MS);
  expect(sleepAtMs('updateFailed', scaling, unused)).toBe(NOW_MS + 15 * MINUTE_MS);
  const never = [
    sleepAtMs('updating', scaling, unused),
    sleepAtMs('running', scaling, { ...unused, isAny: true }),
    sleepAtMs('running', { ...scaling, minReplica: 1 }, unused),
    sleepAtMs('running', { ...scaling, scaleToZeroTimeout: null }, unused),
  ];
  expect(new Set(never)).toEqual(new Set([Number.POSITIVE_INFINITY]));
});
