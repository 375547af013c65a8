import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import {
  type CommandsSlice,
  createCommandsSlice,
  isPending,
  refusalOf,
  waitingCommands,
  withoutPending,
  withoutRefusals,
} from './commands.ts';

const refused = new DaemonError(409, 'The app "dance" is running.');

function setUp() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const call = () => promise;
  const store = createStore<CommandsSlice>()((set) => createCommandsSlice(set, call as never));
  return { store, send: store.getState().send, daemon: { call, resolve, reject } };
}

test('a command is pending until it is answered, and its reply is returned', async () => {
  const { store, send, daemon } = setUp();
  const reply = send('robot', daemon.call, 'sleep');
  const pending = () =>
    [isPending('robot'), isPending('robot', 'sleep'), isPending('robot', 'stop')].map((is) => is(store.getState()));
  expect(pending()).toEqual([true, true, false]);
  daemon.resolve('done');
  expect(await reply).toBe('done');
  expect(pending()).toEqual([false, false, false]);
  expect(refusalOf('robot')(store.getState())).toBeNull();
});

test('a refusal is kept for the command that was refused, until the next command or until it is dismissed', async () => {
  const { store, send, daemon } = setUp();
  const fail = () => Promise.reject(refused);
  expect(await send('app dance', fail, 'update')).toBeNull();
  expect(refusalOf('app dance')(store.getState())).toBe(refused);
  expect(refusalOf('app dance', ['update', 'pin'])(store.getState())).toBe(refused);
  expect(refusalOf('app dance', ['remove'])(store.getState())).toBeNull();
  expect(refusalOf('app wave')(store.getState())).toBeNull();

  void send('app dance', daemon.call, 'remove');
  expect(refusalOf('app dance')(store.getState())).toBeNull();
  await send('app dance', fail, 'update');
  store.getState().dismissRefusal('app dance');
  expect(refusalOf('app dance')(store.getState())).toBeNull();
  expect(isPending('app dance')(store.getState())).toBe(true);
});

test('refusals of a kind go out of date; pending commands and other kinds stay', async () => {
  const { store, send, daemon } = setUp();
  const fail = () => Promise.reject(refused);
  for (const key of ['start dance', 'startup', 'stop'] as const) await send(key, fail);
  void send('start wave', daemon.call);
  store.setState((before) => withoutRefusals(before, 'start', 'stop'));
  const state = store.getState();
  expect([refusalOf('start dance'), refusalOf('startup'), refusalOf('stop')].map((select) => select(state))).toEqual([
    null,
    refused,
    null,
  ]);
  expect(isPending('start wave')(state)).toBe(true);
});

test('any other error of a call is reported as a failure of the page', async () => {
  const { store, send } = setUp();
  await send('stop', () => Promise.reject(new TypeError('x is not a function')));
  expect(refusalOf('stop')(store.getState())?.message).toBe('This page failed: x is not a function. Reload it.');
});

test('commands that are not answered are listed oldest first, each until its own reply', async () => {
  const { store, send, daemon } = setUp();
  const second = Promise.withResolvers<string>();
  const listed = () => waitingCommands(store.getState()).map(({ key, command }) => `${key}/${command}`);
  const first = send('start dance', daemon.call);
  void send('robot', () => second.promise, 'sleep');
  void send('robot', () => second.promise, 'sleep');
  expect(listed()).toEqual(['start dance/', 'robot/sleep', 'robot/sleep']);
  daemon.resolve('started');
  await first;
  expect(listed()).toEqual(['robot/sleep', 'robot/sleep']);
});

test('a command that an event confirmed is no longer pending, and its late reply ends no later command', async () => {
  const { store, send, daemon } = setUp();
  const later = Promise.withResolvers<string>();
  const first = send('start dance', daemon.call);
  store.setState((before) => withoutPending(before, 'start dance'));
  expect(isPending('start dance')(store.getState())).toBe(false);
  void send('start dance', () => later.promise);
  daemon.resolve('started');
  await first;
  expect(isPending('start dance')(store.getState())).toBe(true);
});
