/** The rights of callers on another machine: a network namespace with a link to this one. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { AccessTokens } from '../access/access-tokens.ts';
import type { Operation } from '../contract/operations/operation.ts';
import { type OperationName, operations } from '../contract/operations/operations.ts';
import { systemNow } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { answers, rights, type Sender } from '../testing/access/rights.ts';
import { startTestDaemon } from '../testing/daemon/test-daemon.ts';
import { rightFor } from './requests/operation-paths.ts';

/** Asks one after the other. Each request is [method, url, headers]; prints the statuses. */
const asker = `
  const { request } = require('node:http');
  const ask = ([method, url, headers]) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers }, (response) => { resolve(response.statusCode); sent.destroy(); });
      sent.on('error', reject).end();
    });
  (async () => {
    const statuses = [];
    for (const one of JSON.parse(require('node:fs').readFileSync(0, 'utf8'))) statuses.push(await ask(one));
    console.log(JSON.stringify(statuses));
  })();
`;

/** Another machine, with a link to this one. It has the programs of this one. */
async function otherMachine() {
  const name = `robot-${process.pid}`;
  const net = `10.${(process.pid >> 8) & 255}.${process.pid & 255}`;
  const ip = (...args: string[]) => execa('ip', args);
  const remove = async () => {
    await execa('ip', ['link', 'delete', `${name}a`], { reject: false });
    await execa('ip', ['netns', 'delete', name], { reject: false });
  };
  try {
    await ip('netns', 'add', name);
    await ip('link', 'add', `${name}a`, 'type', 'veth', 'peer', 'name', `${name}b`, 'netns', name);
    await ip('address', 'add', `${net}.1/24`, 'dev', `${name}a`);
    await ip('link', 'set', `${name}a`, 'up');
    await ip('-n', name, 'address', 'add', `${net}.2/24`, 'dev', `${name}b`);
    await ip('-n', name, 'link', 'set', `${name}b`, 'up');
    await ip('netns', 'exec', name, 'true');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    /** The address of this machine, seen from there. */
    address: `${net}.1`,
    node: async (script: string, input: string) =>
      (await execa('ip', ['netns', 'exec', name, process.execPath, '-e', script], { input, timeout: 60_000 })).stdout,
    [Symbol.asyncDispose]: remove,
  };
}

/** Why there can be no other machine; null: there can. A container's root may lack the right, or the program `ip`. */
async function whyNone(): Promise<string | null> {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  try {
    await using _tried = await otherMachine();
    return null;
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, ' ');
  }
}

const none = await whyNone();
test.skipIf(none !== null)(
  none === null
    ? 'from another machine, each operation answers each token as the table says'
    : `SKIPPED: no network namespace can be made here: ${none}`,
  async () => {
    await using machine = await otherMachine();
    await using daemon = await startTestDaemon({ host: '0.0.0.0' });
    const tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), {
      log: createLogger('error'),
      now: systemNow,
    });
    const bearer = async (scopes: string[], namespaces: string[] | null = null) => {
      const { text } = await tokens.create({ name: null, scopes, namespaces });
      return { authorization: `Bearer ${text}` };
    };
    const senders: Partial<Record<Sender, Record<string, string>>> = {
      'nothing, from another machine': {},
      'scope daemon, from another machine': await bearer(['daemon']),
      'scope deploy, some namespaces, from another machine': await bearer(['deploy'], ['lab']),
      'scope deploy, from another machine': await bearer(['deploy']),
      'scopes daemon and deploy, from another machine': await bearer(['daemon', 'deploy']),
    };
    const origin = `http://${machine.address}:${new URL(daemon.url).port}`;
    const asked = Object.entries<Operation>(operations).flatMap(([name, { method, path }]) =>
      Object.entries(senders).map(([sender, headers]) => {
        const right = rightFor(name as OperationName);
        const isForAll = sender.includes('daemon') ? 'yes' : 401;
        const expected = right === null ? isForAll : answers[sender as Sender][rights.indexOf(right)];
        // A path that cannot be decoded: whoever may call it changes nothing.
        return { name, sender, expected, request: [method, `${origin}${path.replace(/\{\w+\}/g, '%zz')}`, headers] };
      }),
    );
    const harmless = asked.filter(
      ({ expected, request: [method, url] }) =>
        expected !== 'yes' || method === 'GET' || (typeof url === 'string' && url.includes('%zz')),
    );
    const statuses = JSON.parse(
      await machine.node(asker, JSON.stringify(harmless.map(({ request }) => request))),
    ) as number[];
    const found = harmless.map(({ name, sender }, index) => {
      const status = statuses[index];
      return { name, sender, answer: status === 401 || status === 403 ? status : 'yes' };
    });
    expect(found).toEqual(harmless.map(({ name, sender, expected }) => ({ name, sender, answer: expected })));
    expect(new Set(harmless.map(({ name }) => name))).toContain('endOtherSessions');
  },
);
