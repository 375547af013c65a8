import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { discardedOf } from '../shared/files/discarded-folder.ts';
import { orphansOf } from '../shared/processes/orphans.ts';
import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';

/** Finds the work in progress and the processes of a killed daemon. The next start removes both, too. */
export async function checkLeftovers({ paths, isHeld }: CheckContext): Promise<Finding[]> {
  if (isHeld) return [];
  const [work, orphans] = await Promise.all([
    Promise.all([readdir(paths.work).catch(() => []), discardedOf(paths.work)]).then(([names, discarded]) => [
      ...names.map((name) => join(paths.work, name)),
      ...discarded,
    ]),
    orphansOf(paths).then(({ find }) => find()),
  ]);
  const findings: Finding[] = [];
  if (work.length > 0) {
    findings.push({
      code: 'work-left',
      severity: 'untidy',
      what: `${work.length} unfinished job folder(s) of a killed daemon.`,
      where: paths.work,
      fix: { kind: 'remove', paths: work },
    });
  }
  if (orphans.length > 0) {
    findings.push({
      code: 'orphans',
      severity: 'broken',
      what: `${orphans.length} process(es) of a killed daemon still run.`,
      where: `process ${orphans.join(', ')}`,
      fix: { kind: 'end-orphans' },
    });
  }
  return findings;
}
