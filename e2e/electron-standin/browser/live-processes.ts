import { readdirSync, readFileSync } from 'node:fs';

/**
 * Whether a process lives that is of the group, or has the text in its environment: Chromium's crash handler leaves the
 * group, and its renderers overwrite their environment. A zombie does not live, and a container may bury it late.
 */
export function anyLives(group: number, inEnvironment: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => livesInGroup(pid, group) || read(`/proc/${pid}/environ`).includes(inEnvironment));
}

function livesInGroup(pid: string, group: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so the fields are counted from the last one: state ppid pgrp.
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(processGroup) === group && state !== 'Z' && state !== 'X';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // gone while we looked, or another user's
  }
}
