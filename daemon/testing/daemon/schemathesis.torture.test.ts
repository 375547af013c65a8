/** Tests the interface against its OpenAPI descriptions with schemathesis: the catalog's, and the rest of the daemon's. */
import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { cpuOffer, measureHost } from '../../catalog/compute/this-machine.ts';
import { CatalogList } from '../../contract/catalog/catalog.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { systemNow } from '../../shared/clock.ts';
import { dataPaths } from '../../shared/files/data-paths.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { pythonFromIndex } from '../python/python-from-index.ts';
import { newDataDir, projectDir, startTestDaemon, type TestDaemon } from './test-daemon.ts';

const { TORTURE_CASES, TORTURE_SEED = '20261122' } = process.env;
const cases = Number(TORTURE_CASES ?? 200);
/** The coverage phase, some 3,000 cases at the edges of every schema, runs in `npm run torture` only. */
const phases = [...(TORTURE_CASES ? ['coverage'] : []), 'fuzzing', 'stateful'];
/** Ends a run that hangs: 200 cases took 20 to 25 s on a quiet machine, and 51 s at a load of 11. */
const deadlineMs = 150_000 + cases * 150;
/** The tester has ended without a report in two of five runs of all tests, and in none of twenty beside the same load: the cause is not known. */
const RUNS = 2;

interface Tested {
  /** The address or file of the description. */
  readonly description: string;
  readonly operations: number;
  readonly phases: readonly string[];
  /** The expected number of cases with one example for each operation. */
  readonly casesPerExample: number;
  /** Checks of schemathesis that do not fit. */
  readonly withoutChecks: readonly string[];
  /** The operations of which no valid case can be accepted here; null: not checked. */
  readonly neverAccepted: readonly string[] | null;
}

/** The catalog's interface, as it is served. */
async function catalogInterface(daemon: TestDaemon): Promise<Tested> {
  const { paths } = (await daemon.get('/api/v1/openapi.json')).body as Described;
  return {
    description: `${daemon.url}/api/v1/openapi.json`,
    operations: operationsOf(paths),
    phases,
    casesPerExample: 15, // with stateful steps
    withoutChecks: [],
    // Nothing runs endpoints here, and only a running endpoint can scale to zero.
    neverAccepted: ['POST /v2/endpoint/{namespace}/{name}/scale-to-zero'],
  };
}

/** A stream never ends, and this install downloads a program. */
const untested = ['/api/events', '/api/runtimes/llama-server/install'];

/** The operations of docs/openapi.json that the catalog's description lacks, in a file. */
async function daemonInterface(daemon: TestDaemon, folder: string): Promise<Tested> {
  const known = ((await daemon.get('/api/v1/openapi.json')).body as Described).paths;
  const document = openApiDocument('0.0.0-test') as Described;
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => !(path in known) && !untested.includes(path)),
  );
  const description = join(folder, 'openapi.json');
  await writeFile(description, JSON.stringify({ ...document, paths }));
  return {
    description,
    operations: operationsOf(paths),
    phases: phases.filter((phase) => phase !== 'stateful'), // no reply names what the next request needs
    casesPerExample: 30,
    // A robot that sleeps is 503, which the description says; the hooks refuse 500.
    withoutChecks: ['not_a_server_error'],
    neverAccepted: null,
  };
}

interface Described {
  readonly paths: Readonly<Record<string, object>>;
}
const operationsOf = (paths: Described['paths']) => Object.values(paths).flatMap((path) => Object.keys(path)).length;

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

/** The end of a run of the tester. */
interface Ended {
  readonly tested: Tested;
  /** null: the tester ended without one. */
  readonly report: Report | null;
  readonly output: readonly string[];
  /** The fault that ended it, as a sentence; null: it found none. */
  readonly failure: string | null;
}

test.skipIf(process.platform === 'win32').for([
  { what: 'the catalog', describedBy: catalogInterface },
  { what: 'the rest of the daemon', describedBy: daemonInterface },
])(
  `of ${cases} cases made from the description of $what no answer contradicts it`,
  { timeout: RUNS * deadlineMs + 120_000 },
  async ({ describedBy }, context) => {
    const env = childEnvironment(process.env, randomUUID());
    const tester = await pythonFromIndex('schemathesis', env);
    if ('missing' in tester) {
      console.warn(`SKIPPED: the tester of interfaces cannot be had: ${tester.missing}`);
      return context.skip(tester.missing);
    }
    let ended = await runTester(tester.python, env, describedBy);
    for (let run = 1; ended.report === null && run < RUNS; run++) {
      console.warn(`The tester gave no report (${ended.failure}), and runs again:\n${ended.output.join('\n')}`);
      ended = await runTester(tester.python, env, describedBy);
    }

    const { tested, report, output, failure } = ended;
    const all = [failure, ...output].join('\n');
    if (report === null) return expect.fail(all);
    expect({ ...report, operations: undefined, valid_rates: undefined }, all).toMatchObject({
      stop_reason: 'completed',
      phases: Object.fromEntries(tested.phases.map((phase) => [phase, { status: 'success' }])),
      test_cases: { with_failures: 0 },
      failures: [],
      errors: [],
    });
    expect(report.operations).toMatchObject({ total: tested.operations, tested: tested.operations });
    expect(report.test_cases.generated - report.test_cases.without_checks).toBeGreaterThanOrEqual(cases);
    const neverTaken = Object.entries(report.valid_rates).filter(([, phases]) =>
      Object.values(phases).every(({ accepted }) => accepted === 0),
    );
    if (tested.neverAccepted) expect(neverTaken.map(([operation]) => operation)).toEqual(tested.neverAccepted);
    const links = output.find((line) => line.includes('API Links'))?.trim() ?? 'no links';
    console.log(`${report.test_cases.generated} cases with TORTURE_SEED=${TORTURE_SEED}; ${links}`);
  },
);

/** Tests an interface of a new daemon. */
async function runTester(
  python: string,
  env: Record<string, string>,
  describedBy: (daemon: TestDaemon, folder: string) => Promise<Tested>,
): Promise<Ended> {
  const beganMs = performance.now();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-'));
  // Its own cache, since a case prunes it.
  const dataDir = await newDataDir(['tools']);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await using daemon = await startTestDaemon({ dataDir });
  const token = await newToken(daemon);
  const tested = await describedBy(daemon, folder.path);

  const preparedMs = performance.now();
  const { output, failure } = await runCommand(
    python,
    [
      ...['-B', '-m', 'schemathesis.cli', 'run', tested.description, '--header', `Authorization: Bearer ${token}`],
      // A description cannot say which names are free, so a valid case may be refused.
      ...['--checks', 'all', '--exclude-checks', ['positive_data_acceptance', ...tested.withoutChecks].join(',')],
      ...['--continue-on-failure', '--url', daemon.url, '--request-timeout', '60'],
      ...['--max-examples', `${Math.ceil(cases / tested.casesPerExample)}`, '--seed', TORTURE_SEED, '--no-color'],
      ...['--phases', tested.phases.join(',')],
      ...['--generation-database', 'none', '--report', 'json', '--report-json-path', 'report.json'],
    ],
    {
      env,
      moreEnv: {
        SCHEMATHESIS_HOOKS: join(projectDir, 'daemon', 'testing', 'daemon', 'schemathesis-hooks.py'),
        CATALOG_WORLD: JSON.stringify(await worldOf(daemon)),
      },
      cwd: folder.path,
      deadlineMs,
    },
  ).then(
    (lines) => ({ output: lines, failure: null }),
    (error: unknown) => {
      if (error instanceof CommandFailed) return { output: error.lines, failure: error.message };
      throw error;
    },
  );
  const [prepared, took] = [preparedMs - beganMs, performance.now() - preparedMs].map((ms) => Math.round(ms / 1000));
  console.log(`prepared in ${prepared} s, tested in ${took} s`);
  // The tester makes an empty file at its start.
  const text = await readFile(join(folder.path, 'report.json'), 'utf8').catch(() => '');
  return { tested, report: text === '' ? null : (JSON.parse(text) as Report), output, failure };
}

async function newToken({ dataDir }: TestDaemon): Promise<string> {
  const tokens = new AccessTokens(dataPaths(dataDir).tokensFile, { log: createLogger('error'), now: systemNow });
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
