import type { AppSlotState } from '../../daemon/contract/apps/app-slot.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { monotonicMs } from '../harness/clock.ts';
import { EventReader } from '../harness/event-reader.ts';
import { type Figure, row } from '../harness/figure.ts';
import { connectRobotProgram } from '../harness/robot-program.ts';
import { summary } from '../harness/samples.ts';

/** The maximum that the daemon accepts. */
const CLIENTS = 50;

/** The time until every page has an event. All clients run in this process, so its reading from 50 sockets is included. */
export const eventsFanOut: Figure = {
  name: 'events-fan-out',
  measures: `from just before a program's first set_target, which takes the slot, to that event at each of ${CLIENTS} clients`,
  beside: 'the same with one client, on its own daemon',
  measure: async ({ quick }) => {
    await using many = await openWatchedDaemon(CLIENTS);
    await using one = await openWatchedDaemon(1);
    const taken = { ours: [] as number[], beside: [] as number[], last: [] as number[] };
    const events = quick ? 3 : 100;
    for (let turn = 0; turn <= events; turn++) {
      const atMany = await many.spreadMs();
      const atOne = await one.spreadMs();
      if (turn === 0) continue; // warms up
      taken.ours.push(...atMany);
      taken.beside.push(...atOne);
      taken.last.push(Math.max(...atMany));
    }
    const beside = summary(taken.beside);
    return [
      row(`events-fan-out to ${CLIENTS} clients`, 'ms', { ours: summary(taken.ours), beside }),
      row('events-fan-out, last client', 'ms', { ours: summary(taken.last), beside }),
    ];
  },
};

interface WatchedDaemon extends AsyncDisposable {
  /** Takes the slot and frees it again. @returns the milliseconds until the event reached each client */
  spreadMs(): Promise<number[]>;
}

async function openWatchedDaemon(clients: number): Promise<WatchedDaemon> {
  const daemon = await startBenchDaemon();
  const readers: EventReader[] = [];
  const dispose = async () => {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
    await daemon[Symbol.asyncDispose]();
  };
  try {
    while (readers.length < clients) readers.push(await EventReader.open(daemon.url));
  } catch (error) {
    await dispose();
    throw error;
  }
  const slotBecomes = (state: AppSlotState['state']) =>
    Promise.all(
      readers.map((reader) =>
        reader.next((event) => event.type === 'app-slot.changed' && event.slot.state === state, `a slot ${state}`),
      ),
    );
  return {
    spreadMs: async () => {
      const program = await connectRobotProgram(daemon.url, 'bench');
      const taken = slotBecomes('running');
      const causedMs = monotonicMs();
      program.send({ type: 'set_target', antennas: [0, 0] });
      const arrivals = await taken;
      const freed = slotBecomes('free');
      await program[Symbol.asyncDispose]();
      await freed;
      return arrivals.map(({ atMs }) => atMs - causedMs);
    },
    [Symbol.asyncDispose]: dispose,
  };
}
