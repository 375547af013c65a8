import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { CHILD_MARK_VARIABLE } from './child-environment.ts';
import { LeaderRegister, readLeaders, recordLeader } from './leader-register.ts';

test('a leader is on the disk until it ends, and a closed register writes no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leader-register-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'leaders.json');
  const mark = 'mark-of-a-test';
  const register = new LeaderRegister({ file, mark, log: createLogger('error') });
  const forget = recordLeader(process.pid, { [CHILD_MARK_VARIABLE]: mark });
  await register.written();
  expect(await readLeaders(file)).toMatchObject([{ pid: process.pid }]);
  await register.close();

  await writeFile(file, 'of the next daemon');
  forget();
  await register.written();
  await sleep(50);
  expect(await readFile(file, 'utf8')).toBe('of the next daemon');
});
