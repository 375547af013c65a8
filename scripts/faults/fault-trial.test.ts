import { expect, test } from 'vitest';
import { failureOfFault } from './fault-trial.ts';

const failsUsually = 'a.test.ts › waits\n    late';
const failsByFault = 'b.test.ts › adds\n    3 is not 2';
/** A suite that stops at its first failure, or does not. */
const suite = (failures: readonly string[]) => async (trial: string) =>
  trial === 'first failure' ? failures.slice(0, 1) : failures;
const withoutFault = async () => ['a.test.ts › waits\n    lost'];

test.each([
  { failures: [], found: null },
  { failures: [failsByFault], found: failsByFault },
  { failures: [failsUsually], found: null },
  { failures: [failsUsually, failsByFault], found: failsByFault },
])('of the failures $failures the fault causes $found', async ({ failures, found }) => {
  expect(await failureOfFault(suite(failures), withoutFault)).toBe(found);
});

test('a suite that passes does not run without the fault', async () => {
  expect(await failureOfFault(suite([]), () => expect.fail('it ran'))).toBeNull();
});
