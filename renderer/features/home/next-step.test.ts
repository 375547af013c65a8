import { expect, test } from 'vitest';
import { appVersion, crashOf, installedApp, moment, sampleApp } from '../../testing/fixtures.ts';
import { nextStep } from './next-step.ts';

const free = { state: 'free', lastRun: null } as const;
const chatty = {
  ...sampleApp('chatty', 'Chatty'),
  needs: [{ name: 'chat', task: 'text-generation', optional: false } as const],
};

test('the first app to install needs neither a network nor a model, if there is one', () => {
  const online = { ...sampleApp('online', 'Online'), needsNetwork: true };
  const wave = sampleApp('wave', 'Wave');
  expect(nextStep(free, [], [chatty, online, wave], [])).toEqual({ kind: 'install', sample: wave });
  expect(nextStep(free, [], [chatty, online], [])).toEqual({ kind: 'install', sample: chatty });
  const optional = { ...chatty, needs: chatty.needs.map((need) => ({ ...need, optional: true })) };
  expect(nextStep(free, [], [optional, wave], [])).toEqual({ kind: 'install', sample: optional });
});

const installedAt = (hour: number) => `2026-03-01T${hour}:00:00.000Z`;
const look = installedApp('look', 'Look', { installedAt: installedAt(10) });
const dance = installedApp('dance', 'Dance', { installedAt: installedAt(11) });
const wave = installedApp('wave', 'Wave', { installedAt: installedAt(12) });
const crash = (appName: string, seen = false) => ({ run: crashOf(appName), seen });
const after = (appName: string, outcome: 'finished' | 'crashed') =>
  ({ state: 'free', lastRun: crashOf(appName, { outcome }) }) as const;

test('the app that ran last is started again, else the one that was installed last', () => {
  expect(nextStep(free, [look, wave, dance], [], [])).toEqual({ kind: 'start', app: wave });
  expect(nextStep(after('look', 'finished'), [look, wave, dance], [], [])).toEqual({ kind: 'start', app: look });
});

test.each([false, true])('an app that crashed is not started while others have not; seen: %j', (seen) => {
  expect(nextStep(after('wave', 'crashed'), [look, wave, dance], [], [crash('wave', seen)])).toEqual({
    ...{ kind: 'start', app: dance },
  });
});

test.each([false, true])('where every app crashed, the newest crash is looked into; seen: %j', (seen) => {
  const crashes = [crash('look', seen), crash('wave', seen)];
  expect(nextStep(after('look', 'crashed'), [wave, look], [], crashes)).toEqual({
    ...{ kind: 'look-into', app: look, run: crashOf('look') },
  });
});

test('an app that ran well after a crash that nobody has seen is started again', () => {
  expect(nextStep(after('wave', 'finished'), [wave], [], [crash('wave')])).toEqual({ kind: 'start', app: wave });
});

test('an app whose update crashed and was rolled back is started again', () => {
  const rolledBack = { from: appVersion('wave', '1.0.0'), at: moment, automatic: true, reason: 'It crashed.' };
  const restored = { ...wave, version: '0.9.0', rolledBack };
  expect(nextStep(after('wave', 'crashed'), [restored], [], [crash('wave')])).toEqual({ kind: 'start', app: restored });
});
