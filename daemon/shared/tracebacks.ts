const TRACEBACK = /^(\s*(?:\+ )?)(?:Exception Group )?Traceback \(most recent call last\):\s*$/;
/** Between the tracebacks of exceptions that caused one another. */
const CHAIN = /^(?:During handling of the above exception|The above exception was the direct cause)\b/;

type Place = 'outside' | 'frames' | 'after';

/** Finds the lines of Python's tracebacks. Gets every line, in order. */
export class Tracebacks {
  #place: Place = 'outside';
  /** Whether the traceback is indented, as in a log: then a line without indentation does not belong to it. */
  #indented = false;

  includes(text: string): boolean {
    const start = TRACEBACK.exec(text);
    if (start) {
      this.#place = 'frames';
      this.#indented = start[1] !== '';
      return true;
    }
    if (this.#place === 'outside') return false;
    if (this.#place === 'frames') {
      if (/^\s/.test(text)) return true;
      // The line that names the exception ends the frames.
      this.#place = this.#indented ? 'outside' : 'after';
      return !this.#indented;
    }
    if (text.trim() === '') return false;
    this.#place = CHAIN.test(text) ? 'after' : 'outside';
    return this.#place === 'after';
  }
}
