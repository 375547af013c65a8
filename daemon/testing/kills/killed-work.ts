/** Work that is killed (SIGKILL) at random moments, and what must hold afterwards: a row of `killed-work.kills.test.ts`. */
export interface KilledWork {
  readonly name: string;
  /** The parts of the work, which the kills interrupt in turn. */
  readonly parts: readonly string[];
  /** The number of kills where TORTURE_KILLS sets none. */
  readonly kills: number;
  /** Prepares everything that the kills share. @returns a sentence that says why where it cannot be done on this machine */
  readonly begin: () => Promise<KilledProgram | string>;
}

/** The program that does the work; its disposal ends it, and expects what must hold after the last kill. */
export interface KilledProgram extends AsyncDisposable {
  /**
   * Begins a part of the work, kills it, and expects what must hold afterwards.
   * @param number of the kill, from 0
   * @param random chooses the moment
   * @returns what the kill has met, which is counted
   */
  kill(part: string, number: number, random: () => number): Promise<string>;
}
