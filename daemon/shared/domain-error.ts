/** An expected failure: its class names the fact, its message is a sentence for a person. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The thing that a caller names does not exist. */
export abstract class NotFound extends DomainError {}

/** A command does not suit the state that things are in now; with another state it may. */
export abstract class Conflict extends DomainError {}

export class ShuttingDown extends DomainError {
  constructor() {
    super('The daemon is stopping. Start it again first.');
  }
}

/** Whether the operating system refused a call, such as the read of a file: its message says which call, and why. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
