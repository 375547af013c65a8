import { createServer, type Server } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import type Docker from 'dockerode';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OomKillWatch } from '../shared/processes/oom-kills.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import { EngineClient, EngineRefused } from './engine-client.ts';
import { ContainerEngineGone } from './errors.ts';
import { RunningContainer } from './running-container.ts';

type State = 'running' | 'stopping' | 'paused' | 'gone' | 'silent' | { readonly exited: number };

const unknown = { memoryBytes: null, cpuSeconds: null };
/** Nothing listens there. */
const CLOSED_PORT = 1;

/** An engine in this process: it answers at once, or is silent. */
class ScriptedClient extends EngineClient {
  state: State = 'running';
  /** The requests so far, but for those about its output. */
  readonly asked: string[] = [];
  /** The replies of `/wait`, the newest last. */
  readonly waits: PassThrough[] = [];
  onStop = () => {};

  constructor() {
    super(clock, { socketPath: '/nowhere' }, 'Docker 27.3.1');
  }

  get wait(): PassThrough {
    return this.waits.at(-1) as PassThrough;
  }

  /** The number of questions about a kind of thing. */
  count(what: string): number {
    return this.asked.filter((each) => each.startsWith(what)).length;
  }

  override async call<T>(limitMs: number, request: (docker: Docker, signal: AbortSignal) => Promise<T>): Promise<T> {
    return request(this.#docker(limitMs), new AbortController().signal);
  }

  override async stream(signal: AbortSignal, request: (docker: Docker, signal: AbortSignal) => Promise<unknown>) {
    const reply = (await request(this.#docker(0), signal)) as Readable;
    signal.addEventListener('abort', () => reply.destroy());
    return reply;
  }

  #docker(limitMs: number): Docker {
    const ask = (what: string) => {
      this.asked.push(what);
      if (this.state === 'silent') throw new ContainerEngineGone('Docker');
      if (this.state === 'gone') throw new EngineRefused(404, 'no such container');
      return this.state;
    };
    const container = {
      inspect: async () => {
        const state = ask('look');
        const code = typeof state === 'object' ? state.exited : 0;
        const Status = typeof state === 'object' ? 'exited' : state;
        const Running = Status !== 'exited' && Status !== 'stopping';
        return { State: { Status, Running, ExitCode: code, OOMKilled: false } };
      },
      stop: async ({ t }: { t: number }) => {
        ask(`stop ${t} s, at most ${limitMs} ms`);
        this.onStop();
      },
      remove: async () => {
        ask('remove');
        this.state = 'gone';
      },
      stats: async () => {
        ask('stats');
        return { memory_stats: { usage: 5_000 }, cpu_stats: { cpu_usage: { total_usage: 2e9 } } };
      },
      logs: async () => {
        throw new ContainerEngineGone('Docker');
      },
    };
    const dial = ({ path }: { path: string }, answer: (error: null, reply: Readable) => void) => {
      this.asked.push(path);
      this.waits.push(new PassThrough());
      answer(null, this.wait);
    };
    return { getContainer: () => container, modem: { dial } } as unknown as Docker;
  }
}

let server: Server;
let openPort: number;
let clock: ManualClock;
beforeEach(async () => {
  server = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openPort = (server.address() as { port: number }).port;
  clock = manualClock();
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const passTime = (ms: number) => clock.advance(ms);

/** A container that runs, and is waited for. */
async function runningContainer() {
  const engine = new ScriptedClient();
  const published = { host: '127.0.0.1', port: CLOSED_PORT };
  /** One entry for its end: true if it was known to be gone. */
  const removals: boolean[] = [];
  const kernel: { oomKills: number | null } = { oomKills: 7 };
  const own = new RunningContainer({
    ...{ clock, client: engine, kind: 'docker', countsFiles: false, id: 'a', published, onLine: () => {} },
    oomKills: new OomKillWatch(async () => kernel.oomKills),
    onEnded: async (isGone) => void removals.push(isGone),
  });
  let hasEnded = false;
  void own.ended.then(() => {
    hasEnded = true;
  });
  await passTime(0);
  /** Lets half a second pass, and the next look, which may come after a question at the port. */
  const nextLook = async () => {
    const looks = engine.count('look');
    await passTime(500);
    while (!hasEnded && engine.count('look') === looks) await new Promise((resolve) => setImmediate(resolve));
    await passTime(0);
  };
  return { own, engine, kernel, published, removals, nextLook, hasEnded: () => hasEnded };
}

test('a stop asks the engine once, with the grace in whole seconds, and a second stop joins it', async () => {
  const { own, engine, removals } = await runningContainer();
  engine.onStop = () => {
    engine.state = { exited: 143 };
    engine.wait.end('{"StatusCode":143}');
  };
  const stops = [own.stop(1_200), own.stop(9_000)];
  await passTime(0);
  await Promise.all(stops);
  expect(engine.asked.filter((each) => each.startsWith('stop'))).toEqual(['stop 2 s, at most 6200 ms']);
  expect(await own.exited).toEqual({ code: 143, how: 'exited', isOutOfMemory: false });
  expect([engine.count('remove'), removals]).toEqual([1, [true]]);
});

test('a container that does not end in the 5 s after its stop is removed by force', async () => {
  const { own, engine, removals } = await runningContainer();
  const stopped = own.stop(1_000);
  await passTime(4_999);
  expect(engine.count('remove')).toBe(0);
  await passTime(1);
  expect(engine.count('remove')).toBeGreaterThan(0);
  await passTime(500);
  await stopped;
  expect(await own.exited).toMatchObject({ how: 'exited' });
  expect(removals).toEqual([true]);
});

test.each<[string, State, object]>([
  ['removed by somebody', 'gone', { code: null, how: 'removed' }],
  ['paused by somebody', 'paused', { code: null, how: 'paused' }],
  ['at its end', { exited: 3 }, { code: 3, how: 'exited' }],
])('a container that is %s when its wait is over has ended so', async (_, state, exit) => {
  const { own, engine, removals } = await runningContainer();
  engine.state = state;
  engine.wait.end();
  await passTime(0);
  expect(await own.exited).toEqual({ ...exit, isOutOfMemory: false });
  await passTime(0);
  expect(removals).toEqual([true]);
});

test.each<[State, number | null, boolean]>([
  [{ exited: 137 }, 8, true],
  [{ exited: 137 }, 7, false], // somebody killed it
  [{ exited: 137 }, null, false],
  [{ exited: 3 }, 8, false],
])(
  'of one that is %j while the kernel counts %s kills after 7, too much memory is the cause: %s',
  async (state, after, isOutOfMemory) => {
    const { own, engine, kernel } = await runningContainer();
    await passTime(3_000);
    kernel.oomKills = after;
    engine.state = state;
    engine.wait.end();
    await passTime(0);
    await passTime(500);
    expect(await own.exited).toMatchObject({ how: 'exited', isOutOfMemory });
  },
);

test('a container that somebody pauses ends the wait for its end too', async () => {
  const { own, engine } = await runningContainer();
  engine.state = 'paused';
  await passTime(2_999);
  expect(engine.wait.destroyed).toBe(false);
  await passTime(1);
  expect(await own.exited).toMatchObject({ how: 'paused' });
  expect(engine.wait.destroyed).toBe(true);
});

test.each<[string, State[], string]>([
  ['gone half a second later was removed by somebody', ['gone'], 'removed'],
  ['still there half a second later was killed', [{ exited: 137 }], 'exited'],
  ['gone once a busy engine answers was removed by somebody', ['silent', 'gone'], 'removed'],
  ['of an engine that stays silent for a second was killed', ['silent', 'silent'], 'exited'],
])('a container with the code of SIGKILL that is %s', async (_, later, how) => {
  const { own, engine, hasEnded } = await runningContainer();
  engine.state = { exited: 137 };
  engine.wait.end('{"StatusCode":137}');
  await passTime(499);
  expect([hasEnded(), engine.count('look')]).toEqual([true, 1]);
  for (const state of later) {
    engine.state = state;
    await passTime(500);
  }
  expect(await own.exited).toMatchObject({ how });
});

test('a container of Podman that somebody stops has not ended until it has', async () => {
  const { own, engine, hasEnded } = await runningContainer();
  engine.state = 'stopping';
  await passTime(3_000);
  expect([hasEnded(), engine.count('look')]).toEqual([false, 1]);
  engine.state = { exited: 143 };
  engine.wait.end('143');
  await passTime(0);
  expect(await own.exited).toMatchObject({ code: 143, how: 'exited' });
});

test('a container that our stop killed is not looked at again', async () => {
  const { own, engine } = await runningContainer();
  engine.onStop = () => {
    engine.state = { exited: 137 };
    engine.wait.end('{"StatusCode":137}');
  };
  void own.stop(1_000);
  await passTime(0);
  expect(await own.exited).toEqual({ code: 137, how: 'exited', isOutOfMemory: false });
});

test.each([
  ['Docker', '{"StatusCode":143}', 143],
  ['Podman', '143', 143],
  ['an engine that tells no number', '{"StatusCode":"143"}', null],
  ['an engine that tells nothing', 'null', null],
  ['an engine that breaks off', '{"Status', null],
  ['an engine that goes on for ever', `${' '.repeat(10_000)}|143`, null],
])('the code of a stopped container that is gone is what %s stated at its end', async (_, reply, code) => {
  const { own, engine } = await runningContainer();
  engine.onStop = () => {
    engine.state = 'gone';
    for (const chunk of reply.split('|')) engine.wait.write(chunk);
    engine.wait.end();
  };
  void own.stop(1_000);
  await passTime(0);
  expect(await own.exited).toEqual({ code, how: 'exited', isOutOfMemory: false });
});

test('an engine that restarts is asked for the end again, half a second after it says that the container runs', async () => {
  const { own, engine, hasEnded } = await runningContainer();
  engine.wait.end();
  await passTime(499);
  expect(engine.waits).toHaveLength(1);
  await passTime(1);
  expect([engine.waits.length, hasEnded()]).toEqual([2, false]);
  engine.state = { exited: 0 };
  engine.wait.end('{"StatusCode":0}');
  await passTime(0);
  expect(await own.exited).toMatchObject({ code: 0, how: 'exited' });
});

test('a container is given up after more than 3 s in which neither the engine nor its port answers, and not removed', async () => {
  const { own, engine, removals, nextLook, hasEnded } = await runningContainer();
  engine.state = 'silent';
  engine.wait.end();
  for (let half = 1; half <= 7; half++) await nextLook(); // the first finds the port silent
  expect(hasEnded()).toBe(false);
  await nextLook();
  expect(hasEnded()).toBe(true);
  expect(await own.exited).toEqual({ code: null, how: 'engine-gone', isOutOfMemory: false });
  expect([engine.count('remove'), removals]).toEqual([0, [false]]);
});

test('a container whose port answers is kept without an engine, and is silent from its last answer on', async () => {
  const { engine, published, nextLook, hasEnded } = await runningContainer();
  engine.state = 'silent';
  engine.wait.end();
  for (let half = 1; half <= 6; half++) await nextLook();
  published.port = openPort;
  for (let half = 1; half <= 10; half++) await nextLook();
  published.port = CLOSED_PORT;
  for (let half = 1; half <= 7; half++) await nextLook();
  expect(hasEnded()).toBe(false);
  await nextLook();
  expect(hasEnded()).toBe(true);
});

test('the memory and the time of a container are those of its engine while it runs, and unknown after it', async () => {
  const { own, engine } = await runningContainer();
  expect(await own.usage()).toEqual({ memoryBytes: 5_000, cpuSeconds: 2 });
  engine.state = { exited: 0 };
  engine.wait.end();
  await passTime(0);
  await own.ended;
  expect([await own.usage(), engine.count('stats')]).toEqual([unknown, 1]);
});
