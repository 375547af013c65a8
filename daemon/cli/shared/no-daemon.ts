import { DomainError } from '../../shared/domain-error.ts';

/** No daemon runs on a data folder. */
export class NoDaemon extends DomainError {
  /** @param advice what to do, a sentence */
  constructor(folder: string, advice: string) {
    super(`No robot daemon runs on ${folder}. ${advice}`);
  }
}
