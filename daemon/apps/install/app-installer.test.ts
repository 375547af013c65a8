/** Addresses that are refused, and those that become a job. */
import { mkdir, mkdtempDisposable, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { JobPlan } from '../../jobs/job-queue.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { AppInstaller } from './app-installer.ts';

/** An installer whose jobs are kept and not run, and a folder with an app, a file and the samples. */
async function installerWithFolder() {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), 'app-installer-'));
  const { path } = folder;
  await mkdir(join(path, 'samples', 'wave'), { recursive: true });
  await mkdir(join(path, 'dance'));
  await writeFile(join(path, 'passwd'), '');
  const plans: Pick<JobPlan, 'kind' | 'subject'>[] = [];
  const jobs = {
    add: ({ kind, subject }: JobPlan) => {
      plans.push({ kind, subject });
      return { id: String(plans.length) };
    },
    saved: async () => {},
  };
  const deps = {
    ...{ jobs, samplesDir: join(path, 'samples'), clock: manualClock() },
    hub: { address: async () => 'https://hub.example' },
    apps: { findFrom: () => null },
  };
  const installer = new AppInstaller(deps as unknown as ConstructorParameters<typeof AppInstaller>[0]);
  return { installer, plans, path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('a folder that is there, a Space and a repository become a job', async () => {
  await using at = await installerWithFolder();
  const folder = join(at.path, 'dance');
  const sample = join(at.path, 'samples', 'wave');
  const addresses = [folder, sample, 'ann/dance', 'https://git.example/ann/dance'];
  for (const address of addresses) await at.installer.install(address);
  expect(at.plans).toEqual(
    [folder, sample, 'https://hub.example/spaces/ann/dance', 'https://git.example/ann/dance'].map((subject) => ({
      kind: 'install-app',
      subject,
    })),
  );
});

test.each([
  '',
  ' ',
  'ö',
  'passwd',
  '../../etc/passwd',
  'file:///etc/passwd',
  'https://x/%C3%B6',
  'https://git.example/my dance',
  `https://git.example/${'a'.repeat(5_000)}`,
  '/home/ann\u0007/dance',
  'javascript:alert(1)',
  'https://ann:secret@git.example/dance',
  'https://git.example:99999/dance',
])('%j is refused before there is a job', async (address) => {
  await using at = await installerWithFolder();
  const refusal = await at.installer.install(address).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InvalidBody);
  const { message, issues } = refusal as InvalidBody;
  expect(issues).toEqual([{ path: ['url'], message }]);
  expect(message).not.toContain('secret');
  expect(at.plans).toEqual([]);
});

test('a file, and a folder or a sample that is not there, are refused before there is a job', async () => {
  await using at = await installerWithFolder();
  const path = (...names: string[]) => join(at.path, ...names);
  for (const [address, message] of [
    [path('passwd'), `${path('passwd')} is not a folder.`],
    [pathToFileURL(path('passwd')).href, `${path('passwd')} is not a folder.`],
    [path('nowhere'), `${path('nowhere')} does not exist, or may not be read.`],
    [`${path('dance')}#subdirectory=apps`, `${path('dance', 'apps')} does not exist, or may not be read.`],
    [path('samples', 'gone'), `${path('samples', 'gone')} does not exist, or may not be read.`],
  ] as const) {
    const issues = [{ path: ['url'], message }];
    await expect(at.installer.install(address)).rejects.toThrow(new InvalidBody(message, issues));
  }
  expect(at.plans).toEqual([]);
});
