import type { Issue } from '../../contract/common/common.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';

export type AddIssue = (path: Issue['path'], message: string) => void;

/** Collects the issues of a request body, so that one answer reports them all. Messages are complete sentences. */
export class Problems {
  readonly #issues: Issue[] = [];

  readonly addIssue: AddIssue = (path, message) => void this.#issues.push({ path, message });

  /** @throws InvalidBody with the issues, if there are any */
  throwIfAny(): void {
    if (this.#issues.length === 0) return;
    throw new InvalidBody(this.#issues.map(({ message }) => message).join(' '), this.#issues);
  }
}

/** Adds issues under a path. */
export function under(addIssue: AddIssue, ...prefix: string[]): AddIssue {
  return (path, message) => addIssue([...prefix, ...path], message);
}
