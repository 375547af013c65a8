/** Tests the catalog's interface against its OpenAPI description with schemathesis. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { cpuOffer, measureHost } from '../../catalog/compute/this-machine.ts';
import { CatalogList } from '../../contract/catalog/catalog.ts';
import { dataPaths } from '../../shared/files/data-paths.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { pythonFromIndex } from './python-from-index.ts';
import { projectDir, startTestDaemon, type TestDaemon } from './test-daemon.ts';

const { TORTURE_CASES, TORTURE_SEED = '20261122' } = process.env;
const cases = Number(TORTURE_CASES ?? 200);
/** The coverage phase, some 3,000 cases at the edges of every schema, runs in `npm run torture` only. */
const phases = [...(TORTURE_CASES ? ['coverage'] : []), 'fuzzing', 'stateful'];
/** The expected number of cases with one example for each operation, with stateful steps. */
const CASES_PER_EXAMPLE = 15;
/** Many times their duration on an idle machine. */
const deadlineMs = 180_000 + cases * 150;

/** The members of schemathesis's report that this test reads. */
interface Report {
  readonly stop_reason: string;
  readonly operations: { readonly total: number; readonly tested: number };
  readonly phases: Readonly<Record<string, { readonly status: string }>>;
  readonly test_cases: { readonly generated: number; readonly with_failures: number; readonly without_checks: number };
  readonly failures: readonly unknown[];
  readonly errors: readonly unknown[];
  /** The number of accepted valid cases of an operation, by phase. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>;
}

test.skipIf(process.platform === 'win32')(
  `of ${cases} cases made from the description no answer contradicts it`,
  async (context) => {
    const env = childEnvironment(process.env, randomUUID());
    const tester = await pythonFromIndex('schemathesis', env);
    if ('missing' in tester) {
      console.warn(`SKIPPED: the tester of interfaces cannot be had: ${tester.missing}`);
      return context.skip(tester.missing);
    }
    const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using daemon = await startTestDaemon();
    const token = await newToken(daemon);

    const description = `${daemon.url}/api/v1/openapi.json`;
    const { paths } = (await daemon.get('/api/v1/openapi.json')).body;
    const operations = Object.values<object>(paths).flatMap((path) => Object.keys(path)).length;
    const output = await runCommand(
      tester.python,
      [
        ...['-B', '-m', 'schemathesis.cli', 'run', description, '--header', `Authorization: Bearer ${token}`],
        // A description cannot say which names are free, so a valid case may be refused.
        ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance', '--continue-on-failure'],
        ...['--max-examples', `${Math.ceil(cases / CASES_PER_EXAMPLE)}`, '--seed', TORTURE_SEED, '--no-color'],
        ...['--phases', phases.join(',')],
        ...['--generation-database', 'none', '--report', 'json', '--report-json-path', 'report.json'],
      ],
      {
        env,
        moreEnv: {
          SCHEMATHESIS_HOOKS: join(projectDir, 'daemon', 'testing', 'daemon', 'schemathesis-hooks.py'),
          CATALOG_WORLD: JSON.stringify(await worldOf(daemon)),
        },
        cwd: folder,
        deadlineMs,
      },
    ).catch((error: unknown) => {
      if (error instanceof CommandFailed) return error.lines;
      throw error;
    });

    const all = output.join('\n');
    const text = await readFile(join(folder, 'report.json'), 'utf8').catch(() => expect.fail(all));
    const report = JSON.parse(text) as Report;
    expect({ ...report, operations: undefined, valid_rates: undefined }, all).toMatchObject({
      stop_reason: 'completed',
      phases: Object.fromEntries(phases.map((phase) => [phase, { status: 'success' }])),
      test_cases: { with_failures: 0 },
      failures: [],
      errors: [],
    });
    expect(report.operations).toMatchObject({ total: operations, tested: operations });
    expect(report.test_cases.generated - report.test_cases.without_checks).toBeGreaterThanOrEqual(cases);
    const neverTaken = Object.entries(report.valid_rates).filter(([, phases]) =>
      Object.values(phases).every(({ accepted }) => accepted === 0),
    );
    // Nothing runs endpoints here, and only a running endpoint can scale to zero.
    expect(neverTaken.map(([operation]) => operation)).toEqual(['POST /v2/endpoint/{namespace}/{name}/scale-to-zero']);
    const links = output.find((line) => line.includes('API Links'))?.trim();
    console.log(`${report.test_cases.generated} cases with TORTURE_SEED=${TORTURE_SEED}; ${links}`);
  },
  deadlineMs + 240_000,
);

async function newToken({ dataDir }: TestDaemon): Promise<string> {
  const tokens = new AccessTokens(dataPaths(dataDir).tokensFile, { log: createLogger('error') });
  const { text } = await tokens.create({ name: 'tester', scopes: ['deploy'], namespaces: ['local'] });
  return text;
}

/** An existing model to deploy, and compute for it. */
async function worldOf(daemon: TestDaemon): Promise<object> {
  const { body } = await daemon.get('/api/v1/catalog/list?engine=llamacpp&accelerator=cpu&search=0.6b');
  const [item] = CatalogList.parse(body).items;
  const recipe = item?.recipes.find(({ accelerator }) => accelerator === 'cpu');
  if (!item || !recipe) throw new Error('The catalog has no small model any more.');
  const { vendor, region, accelerator, instanceType, instanceSize } = cpuOffer(measureHost());
  return {
    ...{ namespace: 'local', author: item.authorName, model: item.modelName, recipePublicId: recipe.publicId },
    ...{ provider: { vendor, region }, compute: { accelerator, instanceType, instanceSize } },
  };
}
