import { DomainError } from '../../shared/domain-error.ts';

export type RefusalKind =
  | 'invalid-request'
  | 'no-chat-template'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'too-many-requests'
  | 'model-server-failed'
  | 'unavailable'
  | 'model-server-silent';

/** The gateway itself answers a request: the model server did not get it, or gave no usable answer. */
export class GatewayRefusal extends DomainError {
  readonly kind: RefusalKind;
  /** Seconds after which a new try makes sense; null: unknown. */
  readonly retryAfterS: number | null;

  constructor(kind: RefusalKind, message: string, retryAfterS: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}
