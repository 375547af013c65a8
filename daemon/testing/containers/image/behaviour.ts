/** How the engine of the tests behaves: its variable TEST_BEHAVIOUR as JSON, and what is sent to `/--behave` later. */
export interface Behaviour {
  /** How long it takes to listen. Default: 0 */
  readonly startMs?: number;
  /** The answer of its health route. Default: ok */
  readonly health?: 'ok' | 'failing' | 'hanging';
  /** How long an answer takes to begin, and the pause between the pieces of a stream. Default: 0 */
  readonly answerMs?: number;
  readonly pauseMs?: number;
  /** The number of pieces of an answer. Default: 3 */
  readonly pieces?: number;
  /** Memory to fill, in bytes. */
  readonly memoryBytes?: number;
  /** Ends it with this code, after a line on stderr. */
  readonly exitCode?: number;
  /** Whether it ignores SIGTERM. */
  readonly isStubborn?: boolean;
}
