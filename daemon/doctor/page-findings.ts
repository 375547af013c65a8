import type { FindingRepair, InstallationCheck } from '../contract/doctor/installation-check.ts';
import type { Finding, Fix } from './check.ts';
import type { Diagnosis } from './examine.ts';
import { factsOf } from './report.ts';

/** A diagnosis that a running daemon made of its own installation, as the dashboard shows it. */
export function installationCheckOf(diagnosis: Diagnosis, checkedAt: Date): InstallationCheck {
  return {
    checkedAt: checkedAt.toISOString(),
    facts: factsOf(diagnosis).map(([name, text]) => ({ name, text })),
    findings: diagnosis.findings.map(({ code, severity, what, where, fix }) => ({
      ...{ code, severity, what, where },
      cause: likelyCauses[code] ?? null,
      repair: repairOf(fix),
    })),
  };
}

const CUT_SHORT = 'Power was lost, the disk was full, or another program wrote into the file.';
const OFFLINE = 'This machine is offline, or a firewall or a proxy is in the way.';

/** The usual cause by the code of a finding, where its own sentence does not say it. */
const likelyCauses: Readonly<Record<Finding['code'], string>> = {
  obstructed: 'Another program, or a copy of the folder, has put something else there.',
  'record-damaged': CUT_SHORT,
  'pointer-damaged': CUT_SHORT,
  'secret-key-damaged': CUT_SHORT,
  'half-written': 'The daemon was killed, or power was lost, while it saved something.',
  'secrets-unreadable': 'The key file was removed or replaced, or the data folder comes from another machine.',
  'environment-missing': 'A person, or a program that frees disk space, has removed it.',
  'environment-no-import': 'A package that it needs is missing, or has another version than at its install.',
  'temporary-folder': 'The disk is full, or this user may not write there.',
  'hub-offline': OFFLINE,
  'index-offline': OFFLINE,
  'cache-large': 'Apps that were removed or updated leave their downloads.',
  'model-partial': 'A download was cancelled, and its endpoint removed.',
  'model-damaged': CUT_SHORT,
  'model-unused': 'Its endpoint was removed, or uses another file now.',
  'startup-app-missing': 'The app was removed, or its install was never finished.',
};

function repairOf(fix: Fix): FindingRepair {
  switch (fix.kind) {
    case 'install-again':
      return { kind: 'install-again', appName: fix.appName, url: fix.url };
    case 'use-previous':
      return { kind: 'use-previous', appName: fix.appName };
    case 'prune-cache':
      return { kind: 'prune-downloads' };
    case 'by-hand':
      return { kind: 'by-hand', how: fix.how };
    case 'remove':
      if (fix.modelFile !== undefined) return { kind: 'remove-model-file', fileId: fix.modelFile };
      return { kind: 'when-closed' };
    // The daemon has read these files, or writes them: it would not notice the change, or undo it.
    case 'set-aside':
    case 'empty-lock':
    case 'forget-previous':
    case 'end-orphans':
      return { kind: 'when-closed' };
  }
}
