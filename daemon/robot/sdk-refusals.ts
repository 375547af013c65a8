import { RequestId, type SdkReply } from '../contract/robot/sdk.ts';
import type { DomainError } from '../shared/domain-error.ts';
import { MotionRefused, RobotUnavailable, UnknownRun } from './errors.ts';
import { MalformedMove, MotionUnderWay, TargetUnreachable } from './motions/errors.ts';

/** The code of an error for programs. @throws the error when it has none: it is a bug */
export function codeOf(error: DomainError): Extract<SdkReply, { type: 'error' }>['code'] {
  if (error instanceof TargetUnreachable) return 'unreachable';
  if (error instanceof MalformedMove) return 'bad-message';
  if (error instanceof MotionRefused) return 'slot-taken';
  if (error instanceof MotionUnderWay) return 'busy';
  if (error instanceof UnknownRun) return 'unknown-run';
  if (error instanceof RobotUnavailable) return 'robot-unavailable';
  throw error;
}

/** The id of a message that is no request of this protocol, so that the program that waits for an answer gets one. */
export function idOf(message: unknown): string | null {
  const { id } = (message ?? {}) as { readonly id?: unknown };
  return RequestId.safeParse(id).data ?? null;
}

/** Why a text is no message of this protocol, in one sentence. */
export function readable(error: unknown): string {
  if (error instanceof SyntaxError) return 'Not JSON.';
  const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
  return issue ? `${issue.path.join('.') || 'message'}: ${issue.message}` : 'Not a message of this protocol.';
}
