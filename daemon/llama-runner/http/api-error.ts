export interface ApiErrorDetails {
  readonly code?: string;
  /** The member of the request's body that is at fault. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
}

/** A refusal, in the shape that OpenAI's clients understand. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ApiErrorDetails;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
  }

  get body() {
    const { code = null, param = null } = this.details;
    return { error: { message: this.message, type: typeOf(this.status), param, code } };
  }
}

function typeOf(status: number): string {
  if (status === 501) return 'not_supported_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** The request would need more tokens than the context has. */
export function contextExceeded(length: number, contextLength: number, unit = 'tokens'): ApiError {
  return new ApiError(
    400,
    `The request has ${length} ${unit}, and the context has room for ${contextLength} tokens. Shorten it, or give the endpoint a larger context.`,
    { code: 'context_length_exceeded' },
  );
}

/** More characters than any token has. */
const MAX_TOKEN_LENGTH = 256;

/** Refuses a text that cannot fit before it is made into tokens, which would keep all other requests waiting. */
export function refuseEndless(text: string, contextLength: number): void {
  if (text.length > contextLength * MAX_TOKEN_LENGTH) throw contextExceeded(text.length, contextLength, 'characters');
}

/** The endpoint runs in another mode. */
export function wrongMode(wanted: string, mode: string): ApiError {
  return new ApiError(501, `This endpoint does not serve ${wanted}: its mode is ${mode}.`, {
    code: 'unsupported_mode',
  });
}
