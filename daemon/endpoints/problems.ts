import type { Issue } from '../contract/common/common.ts';
import { InvalidBody } from '../shared/invalid-input.ts';

export type Complain = (path: Issue['path'], message: string) => void;

/** Gathers what is wrong with a body, so that all of it can be told at once. Messages are whole sentences. */
export class Problems {
  readonly #issues: Issue[] = [];

  readonly complain: Complain = (path, message) => void this.#issues.push({ path, message });

  /** @throws InvalidBody when anything is wrong */
  refuse(): void {
    if (this.#issues.length === 0) return;
    throw new InvalidBody(this.#issues.map(({ message }) => message).join(' '), this.#issues);
  }
}

/** Complains about what lies under a path. */
export function under(complain: Complain, ...prefix: string[]): Complain {
  return (path, message) => complain([...prefix, ...path], message);
}
