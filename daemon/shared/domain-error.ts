/** A refusal that is part of the domain's language: its message is a sentence for a person, its class is the fact. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}
