import { expect, test } from 'vitest';
import { sampleApp } from '../../testing/fixtures.ts';
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
