import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { NEEDS_FILE, StoredNeeds } from '../apps/needs/need-assignments.ts';
import { StoredVariables, VARIABLES_FILE } from '../apps/run/app-variables.ts';
import { InstalledLlamaServer, installedFile } from '../endpoints/llamacpp/llama-server-program.ts';
import { REPOSITORY_RECORD, RepositoryRecord } from '../model-files/repository-record.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';
import { damagedRecord } from './record-checks.ts';

/** Checks that the records in the folders of apps, models and runtimes can be read; app-checks.ts has the apps' pointers. */
export async function checkNestedRecords({ paths }: CheckContext): Promise<Finding[]> {
  const checks = [
    ...(await inEach(paths.apps, VARIABLES_FILE)).map((path) => check(path, StoredVariables)),
    ...(await inEach(paths.apps, NEEDS_FILE)).map((path) => check(path, StoredNeeds)),
    ...(await inEach(paths.models, REPOSITORY_RECORD)).map((path) => check(path, RepositoryRecord)),
    check(installedFile(paths.runtimes), InstalledLlamaServer),
  ];
  return (await Promise.all(checks)).flat();
}

async function check(path: string, schema: z.ZodType): Promise<Finding[]> {
  const damage = await readJsonFile(path, schema).then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOTDIR' ? null : error.message), // its folder is the problem
  );
  if (damage === null) return [];
  return [damagedRecord(path, damage)];
}

async function inEach(folder: string, file: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name, file));
}
