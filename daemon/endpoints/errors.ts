import { DomainError } from '../shared/domain-error.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Refusal } from './endpoint-lifecycle.ts';

export class EndpointNotFound extends DomainError {
  constructor(name: string) {
    super(`There is no endpoint "${name}".`);
  }
}

/** Thrown, too, for a namespace that has endpoints, where the caller may not use it. */
export class NamespaceNotFound extends DomainError {
  constructor(namespace: string) {
    super(`There is no namespace "${namespace}" for this token.`);
  }
}

/** What is wrong is told in the shape of a wrong body: the stock clients read it so. */
abstract class EndpointRefusal extends InvalidBody {
  constructor(message: string) {
    super(message, [{ path: [], message }]);
  }
}

/** The hub's clients know it by the words "already running", and take it for a success. */
export class EndpointAlreadyRunning extends EndpointRefusal {
  constructor(name: string) {
    super(`The endpoint "${name}" is already running.`);
  }
}

export class EndpointCannotSleep extends EndpointRefusal {
  constructor(name: string, why: string) {
    super(`The endpoint "${name}" cannot sleep now: ${why}.`);
  }
}

export class EndpointHasNoReplicas extends EndpointRefusal {
  constructor(name: string) {
    super(`The endpoint "${name}" may have no replica: its maxReplica is 0. Raise that first.`);
  }
}

/** Why an endpoint does not do what was asked of it now. */
export function refusalOf(name: string, refusal: Refusal): Error {
  switch (refusal.refused) {
    case 'already-running':
      return new EndpointAlreadyRunning(name);
    case 'no-replicas':
      return new EndpointHasNoReplicas(name);
    case 'cannot-sleep':
      return new EndpointCannotSleep(name, refusal.why);
  }
}
