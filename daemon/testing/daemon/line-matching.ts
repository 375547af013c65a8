import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Waits for a matching line of a program's output and discards the output after it. execa's line iterator would end the
 * output and wait for the program.
 * @returns null when the output ends without a match
 */
export async function lineMatching(output: Readable, pattern: RegExp): Promise<RegExpExecArray | null> {
  for await (const line of createInterface({ input: output })) {
    const found = pattern.exec(line);
    if (!found) continue;
    output.resume();
    return found;
  }
  return null;
}
