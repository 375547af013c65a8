import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../files/atomic-file.ts';
import { createLogger } from '../logger.ts';
import { CHILD_MARK_VARIABLE } from './child-environment.ts';
import { LeaderRegister, readLeaders, recordLeader } from './leader-register.ts';

test('a leader is on the disk until it ends, and a closed register writes no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leader-register-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, later] = [join(folder, 'leaders.json'), join(folder, 'later.json')];
  const mark = 'mark-of-a-test';
  const register = new LeaderRegister({ file, mark, log: createLogger('error') });
  const forget = recordLeader(process.pid, { [CHILD_MARK_VARIABLE]: mark });
  await register.written();
  expect(await readLeaders(file)).toMatchObject([{ pid: process.pid }]);
  await register.close();

  await writeFile(file, 'of the next daemon');
  forget();
  await register.written();
  await replaceFile(later, 'of a later write', { fsync: false }); // one that began with `forget` would be done before
  expect(await readFile(file, 'utf8')).toBe('of the next daemon');
});
