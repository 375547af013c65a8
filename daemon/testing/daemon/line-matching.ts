import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Waits for a line of a program's output, and lets the rest of it pass. The line iterator of execa would end the output
 * and wait for the program.
 * @returns null where the output ends without such a line
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
