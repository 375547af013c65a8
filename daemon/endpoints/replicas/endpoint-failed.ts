import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { HubError } from '../../hub/errors.ts';
import { DomainError } from '../../shared/domain-error.ts';

/** Ends the start of an endpoint, with the cause and the action for people. */
export class EndpointFailed extends DomainError {
  readonly failure: EndpointFailure;

  constructor(failure: Omit<EndpointFailure, 'evidence'> & { readonly evidence?: readonly string[] }) {
    super(failure.message);
    this.failure = { ...failure, evidence: [...(failure.evidence ?? [])] };
  }
}

/** The failure for any error of a start. */
export function failureOf(error: unknown): EndpointFailure {
  if (error instanceof EndpointFailed) return error.failure;
  const { message } = error as Error;
  if (error instanceof HubError) return { reason: 'hub', message, action: error.action, evidence: [] };
  return {
    reason: 'internal',
    message: `The start failed unexpectedly: ${message}`,
    action: 'Resume the endpoint. If it happens again, report it with the log.',
    evidence: [],
  };
}

/** Whether an error has a known cause; an unknown one is a bug, which belongs in the daemon's log. */
export const isExpected = (error: unknown): boolean => error instanceof EndpointFailed || error instanceof HubError;
