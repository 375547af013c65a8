import { DomainError } from './domain-error.ts';

/** The daemon is stopping and starts nothing new. */
export class ShuttingDown extends DomainError {
  constructor() {
    super('The daemon is stopping. Start it again first.');
  }
}
