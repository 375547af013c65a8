import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { JobFailed } from '../../jobs/errors.ts';
import { missingSubmodules, submoduleFailure } from './submodules.ts';

test('the submodules of a clone without their files are found, and none once they are there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-submodules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = ['-c', 'protocol.file.allow=always', '-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  const git = (...args: string[]) => execa('git', [...options, ...args], { cwd: folder });
  for (const name of ['motion', 'app']) {
    await git('init', '--quiet', name);
    await git('-C', name, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  }
  const motion = join(folder, 'motion');
  await execa('touch', [join(motion, 'motion.py')]);
  await git('-C', 'motion', 'add', '.');
  await git('-C', 'motion', 'commit', '--quiet', '-m', 'Move');
  await git('-C', 'app', 'submodule', '--quiet', 'add', motion, 'lib/my motion');
  await git('-C', 'app', 'commit', '--quiet', '-m', 'Add motion');
  await git('clone', '--quiet', 'app', 'clone');
  expect(await missingSubmodules(join(folder, 'clone'))).toEqual([{ path: 'lib/my motion', url: motion }]);
  expect(await missingSubmodules(join(folder, 'app'))).toEqual([]);
  expect(await missingSubmodules(motion)).toEqual([]);
});

const failed = (reason: 'import-error' | 'network' | 'build', message: string, ...evidence: string[]) =>
  new JobFailed({ reason, message, action: 'Ask the author.', evidence });
const explanation = (error: unknown, path: string) => {
  const failure = submoduleFailure(error, [{ path, url: 'https://git.example/ann/x' }], false);
  return failure === error ? null : (failure as JobFailed).message;
};

test('a failure names the submodule that it comes from', () => {
  const missing = failed(
    'import-error',
    "The app cannot be imported: ModuleNotFoundError: No module named 'my_motion'.",
  );
  expect(explanation(missing, 'lib/my-motion')).toMatch(
    /^lib\/my-motion is a submodule, .* downloaded with it\. The app cannot/,
  );
  expect(explanation(missing, 'vendor/other')).toContain('The failure is likely due to that');
  const build = failed(
    'build',
    'The package could not be built.',
    "error: package directory 'vendor/x' does not exist",
  );
  expect(explanation(build, 'vendor/x')).toContain('vendor/x is a submodule');
});

test('other failures stay what they are', () => {
  expect(explanation(failed('build', 'The package could not be built.', 'no compiler'), 'vendor/x')).toBeNull();
  expect(explanation(failed('network', 'vendor/x cannot be reached.'), 'vendor/x')).toBeNull();
  expect(explanation(failed('build', 'vendor/xyz is wrong'), 'vendor/x')).toBeNull();
  expect(explanation(new Error('vendor/x'), 'vendor/x')).toBeNull();
});
