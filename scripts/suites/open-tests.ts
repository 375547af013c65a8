import { quarantine } from './quarantine.ts';
import { flakyAgain, inputsOf, openAreas, readLedger } from './torture-ledger.ts';

/**
 * The tests that stop a release.
 * @param folder of the project
 * @returns a sentence for each area without a good long run of the project as it is, and for each test that is not steady
 */
export function openTests(folder?: string): string[] {
  const ledger = readLedger(folder);
  return [
    ...openAreas(ledger, inputsOf(folder)),
    ...flakyAgain(ledger).map((test) => `${test} was flaky in two long runs.`),
    ...quarantine.map(({ test, cause, since }) => `${test} is in quarantine since ${since}: ${cause}.`),
  ];
}

/** The same for a run that does not depend on them: where they cannot be found out, as without Git, one sentence says so. */
export function openTestsOrWhyNot(folder?: string): string[] {
  try {
    return openTests(folder);
  } catch (error) {
    return [`The areas that have changed are unknown: ${(error as Error).message.split('\n', 1)[0]}`];
  }
}
