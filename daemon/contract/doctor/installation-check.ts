import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';

/** `broken`: something does not work. `untidy`: disk space is wasted. `note`: for information. */
export const FindingSeverity = z.enum(['broken', 'untidy', 'note']);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

/** The repair of a finding: by an operation of the running daemon, by the doctor once no daemon runs, or by a person. */
export const FindingRepair = z
  .discriminatedUnion('kind', [
    /** `installApp`, from that address. */
    z.object({ kind: z.literal('install-again'), appName: z.string(), url: z.string() }),
    /** `rollBackApp` */
    z.object({ kind: z.literal('use-previous'), appName: z.string() }),
    /** `pruneDownloadCache` */
    z.object({ kind: z.literal('prune-downloads') }),
    /** `removeModelFile` */
    z.object({ kind: z.literal('remove-model-file'), fileId: z.string() }),
    /** `robot-daemon doctor --fix`, which needs the data folder for itself. */
    z.object({ kind: z.literal('when-closed') }),
    /** Only a person can do it. */
    z.object({ kind: z.literal('by-hand'), how: z.string() }),
  ])
  .meta({ id: 'FindingRepair' });
export type FindingRepair = z.infer<typeof FindingRepair>;

/** A problem of the installation, or something worth knowing. */
export const InstallationFinding = named('InstallationFinding', {
  /** A stable code for programs. */
  code: z.string(),
  severity: FindingSeverity,
  /** One sentence. */
  what: z.string(),
  /** The usual cause, in one sentence; null: `what` says it, or none is known. */
  cause: z.string().nullable(),
  /** A path, an address or a process. */
  where: z.string(),
  repair: FindingRepair,
});
export type InstallationFinding = z.infer<typeof InstallationFinding>;

/** The result of a check of the installation. */
export const InstallationCheck = named('InstallationCheck', {
  checkedAt: Timestamp,
  /** The tools and the services that were found: `Python`, `3.12.4, /usr/bin/python3`. */
  facts: z.array(z.object({ name: z.string(), text: z.string() })),
  /** Most severe first. */
  findings: z.array(InstallationFinding),
});
export type InstallationCheck = z.infer<typeof InstallationCheck>;

/** null: none has ended since the daemon started. */
export const LastInstallationCheck = named('LastInstallationCheck', { check: InstallationCheck.nullable() });
export type LastInstallationCheck = z.infer<typeof LastInstallationCheck>;
