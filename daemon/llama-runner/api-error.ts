interface ApiErrorDetails {
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

/** Texts with fewer characters for each token of the context are quickly made into tokens. */
const QUICK_LENGTH = 8;
const PIECE_LENGTH = 16_384;
/** A text that is cut into pieces has at most so many tokens more for each piece. */
const TOKENS_OF_CUT = 4;

/**
 * Refuses texts that cannot fit together, before a template gets them and they are made into tokens as a whole: that would
 * keep all other requests waiting, for 30 MB longer than callers wait.
 * @param countTokens the number of tokens of a text
 */
export function refuseEndless(
  texts: readonly string[],
  contextLength: number,
  countTokens: (text: string) => number,
): void {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > contextLength * MAX_TOKEN_LENGTH) throw contextExceeded(characters, contextLength, 'characters');
  if (characters <= contextLength * QUICK_LENGTH) return;
  let tokens = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      tokens += Math.max(0, countTokens(text.slice(at, at + PIECE_LENGTH)) - TOKENS_OF_CUT);
      if (tokens > contextLength) throw contextExceeded(tokens, contextLength, 'tokens or more');
    }
  }
}

/** The endpoint runs in another mode. */
export function wrongMode(wanted: string, mode: string): ApiError {
  return new ApiError(501, `This endpoint does not serve ${wanted}: its mode is ${mode}.`, {
    code: 'unsupported_mode',
  });
}
