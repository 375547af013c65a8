/** An expected failure: its class names the fact, its message is a sentence for a person. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}
