import { DomainError, NotFound } from '../../shared/domain-error.ts';
import { priceText } from '../../shared/price-text.ts';

export class EndpointNotFound extends NotFound {
  constructor(name: string) {
    super(`There is no endpoint "${name}".`);
  }
}

/** Also thrown for an existing namespace that the caller may not use. */
export class NamespaceNotFound extends NotFound {
  constructor(namespace: string) {
    super(`There is no namespace "${namespace}" for this token.`);
  }
}

/** No replica of the endpoint can serve a request now. */
export class EndpointUnavailable extends DomainError {
  /** Seconds after which a new try makes sense; null: only once somebody has changed something. */
  readonly retryAfterS: number | null;

  constructor(message: string, retryAfterS: number | null) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** A chat, for an endpoint whose model has no chat template while none is chosen. */
export class ChatTemplateMissing extends DomainError {
  constructor(name: string) {
    super(
      `The model of "${name}" has no chat template, so it only continues text: use /v1/completions, or choose a chat template in the endpoint's settings.`,
    );
  }
}

/** The refusal of an app's request whose start was not confirmed with the price. @param pricePerHour US dollars; null: unknown */
export function asleepAndPaid(name: string, pricePerHour: number | null): EndpointUnavailable {
  const text = `"${name}" is asleep, and costs ${priceText(pricePerHour)}.`;
  return new EndpointUnavailable(`${text} Wake it on its page, or start the app again, which asks you first.`, null);
}
