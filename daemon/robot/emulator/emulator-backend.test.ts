import { expect, test } from 'vitest';
import { MemoryLine } from '../../testing/daemon/memory-line.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { readHardware } from '../lite/hardware.ts';
import { sleepJoints } from '../motions/posture.ts';
import { EmulatedBus } from './emulated-bus.ts';
import { EmulatorBackend } from './emulator-backend.ts';
import type { ServoEmulator } from './servo-emulator.ts';

const hardware = readHardware('assets/hardware/lite.json');

test('servos that a busy machine keeps waiting are not taken for silent ones', async () => {
  const clock = manualClock();
  const bus = new EmulatedBus({ hardware, clock, configuration: 'right' });
  const emulator = { path: 'emulated', simulator: null, start: async () => {}, stop: async () => {} };
  const none = () => {};
  const backend = new EmulatorBackend(emulator as unknown as ServoEmulator, {
    hardware,
    platform: 'linux',
    openLine: async () => {
      const line: MemoryLine = new MemoryLine((packet) => {
        const answer = bus.answer(packet);
        if (answer) clock.after(50, () => line.say(answer));
        return null;
      });
      return line;
    },
    clock,
    log: { debug: none, info: none, warn: none, error: none },
  });
  const states: string[] = [];
  backend.open(({ state }) => states.push(state));
  while (backend.connection.state !== 'ready' && clock.elapsedMs() < 60_000) await clock.advance(10);
  for (const endMs = clock.elapsedMs() + 3_000; clock.elapsedMs() < endMs; ) {
    let isOver = false;
    void backend.exchange(sleepJoints).then(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(10);
  }
  expect(states).toEqual(['disconnected', 'ready']);
  await backend.close();
});
