/** Time limits and intervals of the lite robot, milliseconds. */
export interface LiteTimes {
  /** Interval at which ports are polled. */
  readonly pollMs: number;
  /** The longest pause between two tries. The first is `pollMs`, each further one twice as long. */
  readonly longestPauseMs: number;
  /** Time after plugging in until the system has set the permissions of a port. */
  readonly settlingMs: number;
  /** Time limit of an answer, besides its time on the wire. */
  readonly answerMs: number;
  /** A motor that does not answer for this time is lost. */
  readonly silenceMs: number;
  readonly supplyPollMs: number;
  /** Time limit for the power supply to start up. */
  readonly supplyMs: number;
  /** Time limit for a servo to answer after a reboot. */
  readonly rebootMs: number;
}

export const liteTimes: LiteTimes = {
  pollMs: 250,
  longestPauseMs: 5000,
  settlingMs: 1000,
  answerMs: 10,
  silenceMs: 1000,
  supplyPollMs: 100,
  supplyMs: 30_000,
  rebootMs: 1000,
};
