import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { failedTest } from '../failed-test.ts';
import type {} from '../measured-file.ts';
import type { SuiteResult } from '../suite-result.ts';

/** The result of a run as `SuiteResult`, of the tests with the tag `TEST_TAG`, written to the file named by `TEST_REPORT`. */
export default class VitestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tag = process.env['TEST_TAG']; // the others of a file count as skipped
    const all = modules.flatMap((module) => [...module.children.allTests()]);
    const tests = all.filter((test) => tag === undefined || test.tags.includes(tag));
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [
      ...inState('failed').map((test) => failedTest(titleOf(test), test.result().errors?.[0]?.message)),
      // A file that cannot be loaded, or a hook that fails, has no failed test.
      ...modules.flatMap((module) =>
        module.errors().map((error) => failedTest(module.relativeModuleId, error.message)),
      ),
      ...modules
        .flatMap((module) => [...module.children.allSuites()])
        .flatMap((suite) => suite.errors().map((error) => failedTest(titleOf(suite), error.message))),
      ...unhandled.map((error) => failedTest('between the tests', error.message)),
    ];
    const flaky = inState('passed').filter((test) => test.diagnostic()?.flaky);
    const result: SuiteResult = {
      passed: inState('passed').length,
      failed: failures.length,
      skipped: inState('skipped').length,
      skips: inState('skipped').map(titleOf),
      failures,
      flaky: flaky.map((test) => failedTest(titleOf(test), test.result().errors?.[0]?.message)),
      files: modules.flatMap((module) => module.meta().figures ?? []),
    };
    const file = process.env['TEST_REPORT'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(result));
  }
}

function titleOf(test: TestCase | TestSuite): string {
  return `${test.module.relativeModuleId} › ${test.fullName}`;
}
