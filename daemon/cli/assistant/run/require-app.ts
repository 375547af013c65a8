import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaresNoApp } from '../../../app-package/wrong-folder.ts';
import { quickCheck } from '../../../assistant/check/check-own-app.ts';
import { DomainError } from '../../../shared/domain-error.ts';
import { interruptible } from '../../shared/interruptible.ts';
import { checkDeps } from '../check-deps.ts';
import { findingsText } from '../findings-text.ts';
import type { Surroundings } from '../surroundings.ts';

/** The findings of folders that no change of a file makes an app in passing. */
const noApp: ReadonlySet<string> = new Set(['no-pyproject', 'several-apps', 'in-subdirectory']);

class NoAppInFolder extends DomainError {
  constructor(folder: string) {
    super(`There is no app in ${folder}. Give the folder that holds its pyproject.toml.`);
  }
}

/** @throws NoAppInFolder for a folder of something else, after its findings were told */
export async function requireApp(folder: string, surroundings: Surroundings): Promise<void> {
  const pyproject = await readFile(join(folder, 'pyproject.toml'), 'utf8').catch(() => null);
  if (pyproject !== null && !declaresNoApp({ pyproject })) return;
  const deps = await checkDeps(surroundings);
  const { findings } = await interruptible((signal) => quickCheck(folder, deps, signal));
  const reasons = findings.filter(({ id }) => noApp.has(id));
  if (reasons.length === 0) return;
  process.stderr.write(findingsText(reasons, process.stderr));
  throw new NoAppInFolder(folder);
}
