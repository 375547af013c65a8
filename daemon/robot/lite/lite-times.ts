/** How long things may take, and how often something is tried. */
export interface LiteTimes {
  /** How often ports are looked for. */
  readonly lookMs: number;
  /** The longest pause between two tries; the first is `lookMs`, each further one twice as long. */
  readonly longestPauseMs: number;
  /** After it was plugged in, the system takes so long to settle who may use a port. */
  readonly settlingMs: number;
  /** How long an answer may take, besides its time on the wire. */
  readonly answerMs: number;
  /** After this silence a motor is given up. */
  readonly silenceMs: number;
  readonly supplyPollMs: number;
  /** How long the supply may take to come up. */
  readonly supplyMs: number;
  /** How long a servo may take to be back from a reboot. */
  readonly rebootMs: number;
}

export const liteTimes: LiteTimes = {
  lookMs: 250,
  longestPauseMs: 5000,
  settlingMs: 1000,
  answerMs: 10,
  silenceMs: 1000,
  supplyPollMs: 100,
  supplyMs: 30_000,
  rebootMs: 1000,
};
