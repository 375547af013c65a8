import { expect, test } from 'vitest';
import { failure, installJob } from '../../testing/fixtures.ts';
import { installedTab } from './app-list.ts';

test('an install of a program that serves models is not shown as an app', () => {
  const program = { kind: 'install-runtime', subject: 'llama-server', appName: null } as const;
  const jobs = [installJob('x', program), installJob('y', { ...program, state: 'failed', failure })];
  expect(installedTab({ jobs, dismissed: [], installedApps: [] })).toEqual({
    ...{ installing: [], installed: [], failed: [] },
  });
});
