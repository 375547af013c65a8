import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClosingChoice, DesktopStatus } from '../daemon/contract/desktop.ts';
import { closing } from './closing.ts';

interface Given {
  /** The choice that was made before. */
  readonly chosen?: ClosingChoice;
  readonly noTray?: string | null;
  readonly hasOwnDaemon?: boolean;
  /** The button that is pressed. */
  readonly pressed?: number;
  readonly change?: () => Promise<DesktopStatus>;
}

/** Closes the window. @returns what that does, what is asked and what is kept */
async function closed({ chosen = 'ask', noTray = null, hasOwnDaemon = true, pressed = 0, change }: Given = {}) {
  const asked: string[] = [];
  const kept: unknown[] = [];
  const status = { closing: chosen } as DesktopStatus;
  const outcome = await closing({
    ask: async ({ message }) => {
      asked.push(message);
      return pressed;
    },
    settings: {
      status,
      change:
        change ??
        (async (changes) => {
          kept.push(changes);
          return status;
        }),
    },
    noTray: async () => noTray,
    hasOwnDaemon,
  });
  return { outcome, asked: asked.length, kept };
}

test('the first time it asks, and keeps the answer', async () => {
  expect(await closed({ pressed: 0 })).toEqual({
    outcome: 'keep-running',
    asked: 1,
    kept: [{ closing: 'keep-running' }],
  });
  expect(await closed({ pressed: 1 })).toEqual({ outcome: 'quit', asked: 1, kept: [{ closing: 'quit' }] });
});

test('a question that is cancelled leaves the window open, and is asked again', async () => {
  expect(await closed({ pressed: 2 })).toEqual({ outcome: 'stay-open', asked: 1, kept: [] });
});

test.each<ClosingChoice>(['keep-running', 'quit'])('once %s was chosen, nothing is asked', async (chosen) => {
  expect(await closed({ chosen })).toEqual({ outcome: chosen, asked: 0, kept: [] });
});

test.each<ClosingChoice>(['ask', 'keep-running', 'quit'])('without a tray it quits, with %s chosen', async (chosen) => {
  expect(await closed({ chosen, noTray: 'There is no tray.' })).toEqual({ outcome: 'quit', asked: 0, kept: [] });
});

test('the window of a daemon in another process, which goes on, closes without a question', async () => {
  expect(await closed({ hasOwnDaemon: false })).toEqual({ outcome: 'quit', asked: 0, kept: [] });
});

test('an answer that cannot be kept holds this time', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const change = () => Promise.reject(new Error('The disk is full.'));
  expect(await closed({ pressed: 0, change })).toMatchObject({ outcome: 'keep-running' });
  expect(logged).toHaveBeenCalledOnce();
});
