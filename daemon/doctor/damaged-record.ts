import type { Finding } from './finding.ts';

/** The finding for a record that cannot be read. @param damage the error's message, of which the first line is shown */
export function damagedRecord(path: string, damage: string): Finding {
  const what = `The file is damaged (${(damage.split('\n')[0] ?? '').slice(0, 200)}).`;
  return { code: 'record-damaged', severity: 'broken', what, where: path, fix: { kind: 'set-aside', path } };
}
