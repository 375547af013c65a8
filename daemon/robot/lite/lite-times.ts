/** Time limits and intervals of the lite robot, milliseconds. */
export const liteTimes = {
  /** Interval at which ports are polled. */
  pollMs: 250,
  /** The longest pause between two tries. The first is `pollMs`, each further one twice as long. */
  longestPauseMs: 5000,
  /** Time after plugging in until the system has set the permissions of a port. */
  settlingMs: 1000,
  /** Time limit of an answer, besides its time on the wire. */
  answerMs: 10,
  /** A motor that does not answer for this time is lost. */
  silenceMs: 1000,
  supplyPollMs: 100,
  supplyMs: 30_000,
  rebootMs: 1000,
};
export type LiteTimes = Readonly<typeof liteTimes>;
