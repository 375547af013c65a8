import type { Issue } from '../../contract/common/common.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';

/** Messages are complete sentences. */
export type AddIssue = (path: Issue['path'], message: string) => void;

/** Reads a request body, and collects its issues, so that one answer reports them all. @throws InvalidBody with every issue */
export function checked<T>(read: (addIssue: AddIssue) => T): T {
  const issues: Issue[] = [];
  const result = read((path, message) => void issues.push({ path, message }));
  if (issues.length === 0) return result;
  throw new InvalidBody(issues.map(({ message }) => message).join(' '), issues);
}

/** Adds issues under a path. */
export function under(addIssue: AddIssue, ...prefix: string[]): AddIssue {
  return (path, message) => addIssue([...prefix, ...path], message);
}
