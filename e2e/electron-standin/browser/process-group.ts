import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process of the group lives. A zombie does not, and the first process of a container buries it late. */
export function isGroupAlive(group: number): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && livesInGroup(name, group));
}

function livesInGroup(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so the fields are counted from the last one: state ppid pgrp.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(processGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false; // gone while we looked
  }
}
