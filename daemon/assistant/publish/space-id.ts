import { isSpaceName, SpaceId } from '../../contract/apps/app-source.ts';
import { notPublishable } from '../errors.ts';

/**
 * The Space that an app is published as: that of its Git remote `space`, else one of the account with the name of the
 * Python package.
 * @param remote the address of the remote; null: there is none
 * @throws NotPublishable when the package's name cannot be one of a Space
 */
export function spaceIdFor(account: string, distribution: string, remote: string | null, hubUrl: string): string {
  const ofRemote = remote === null ? null : spaceAt(remote, hubUrl);
  if (ofRemote !== null) return ofRemote;
  const id = `${account}/${distribution}`;
  if (isSpaceName(distribution) && SpaceId.safeParse(id).success) return id;
  throw notPublishable('bad-space-name', `"${distribution}" cannot be the name of a Space.`, {
    file: 'pyproject.toml',
    action: 'Change the name of the project: letters, digits, and single "-", "_" and "." between them, at most 96.',
  });
}

/** The Space that an address of git stands for; null: none of this hub. */
export function spaceAt(address: string, hubUrl: string): string | null {
  const hub = new URL(hubUrl);
  const byShell = /^(?:ssh:\/\/)?git@([^:/]+)[:/](spaces\/.+)$/.exec(address);
  const url = byShell ? null : URL.parse(address);
  const host = byShell ? byShell[1] : url?.host;
  if (host !== (byShell ? hub.hostname : hub.host) && !(byShell && host === `ssh.${hub.hostname}`)) return null;
  const path = byShell ? byShell[2] : url?.pathname.slice(hub.pathname.replace(/\/$/, '').length + 1);
  const [, id] = /^spaces\/([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(path ?? '') ?? [];
  return id !== undefined && SpaceId.safeParse(id).success ? id : null;
}

export const spaceUrl = (hubUrl: string, id: string) => `${hubUrl}/spaces/${id}`;
