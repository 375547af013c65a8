import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { WindowsNotShown } from './errors.ts';
import { OwnAppList } from './own-app-list.ts';
import { OwnAppsService } from './own-apps.ts';

test('no window is opened for a caller on another machine', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'own-apps-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = createLogger('error', () => {});
  const list = new OwnAppList({
    ...{ file: join(folder, 'own-apps.json'), proposedFolder: '', canOpen: true },
    ...{ publish: () => {}, now: () => new Date(0), log },
  });
  const opened: string[] = [];
  const service = new OwnAppsService({
    list,
    opener: async (path) => void opened.push(path),
    log,
  } as ConstructorParameters<typeof OwnAppsService>[0]);
  const { id } = await service.add(folder);
  await expect(service.open(id, null, { isHere: false })).rejects.toThrow(WindowsNotShown);
  expect(opened).toEqual([]);
  expect(await service.open(id, null, { isHere: true })).toEqual({ opened: folder });
  expect(opened).toEqual([folder]);
});
