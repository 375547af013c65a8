import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { discardedOf } from '../shared/files/discarded-folder.ts';
import { orphansOf } from '../shared/processes/orphans.ts';
import type { Examined } from './examined.ts';
import type { Finding } from './finding.ts';

/** What a daemon that was killed has left: work in progress and processes. The next start ends both, too. */
export async function checkLeftovers({ paths, isHeld }: Examined): Promise<Finding[]> {
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
      what: `${work.length} piece(s) of work were not finished.`,
      where: paths.work,
      fix: { kind: 'remove', paths: work },
    });
  }
  if (orphans.length > 0) {
    findings.push({
      code: 'orphans',
      severity: 'broken',
      what: `${orphans.length} process(es) of a daemon that is gone still run.`,
      where: `process ${orphans.join(', ')}`,
      fix: { kind: 'end-orphans' },
    });
  }
  return findings;
}
