/** One daemon uses the catalog of another: both real, over real HTTP, every reply checked against both descriptions. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { withoutProgress } from '../../testing/daemon/endpoint-api.ts';
import { newDataDir, projectDir } from '../../testing/daemon/test-daemon.ts';
import { watchDaemon } from '../../testing/daemon/watch-daemon.ts';
import { smallCatalog, writeSmallCatalog } from '../../testing/models/small-catalog.ts';
import { movableClock } from '../../testing/movable-clock.ts';

/** The remote service, and the default catalog of the daemons in the tests. */
let small: CheckedDaemon;
let dataDir: string;
let shipped: readonly CatalogItem[];
beforeAll(async () => {
  dataDir = await newDataDir();
  small = await startCheckedDaemon({ dataDir, catalogFile: await writeSmallCatalog(dataDir) });
  const file = join(projectDir, 'assets', 'catalog', 'catalog-items.json');
  shipped = JSON.parse(await readFile(file, 'utf8'));
});
afterAll(async () => {
  await small?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** A daemon that uses the service, and everything that both replied and logged. */
async function beside() {
  const logged: string[] = [];
  const log = vi.spyOn(process.stderr, 'write').mockImplementation((line) => logged.push(String(line)) > 0);
  onTestFinished(() => log.mockRestore());
  const clock = movableClock();
  const first = await startCheckedDaemon({ logLevel: 'debug', clock });
  onTestFinished(() => first[Symbol.asyncDispose]());
  const ask: CheckedDaemon['ask'] = async (...asked) => {
    const answer = await first.ask(...asked);
    logged.push(answer.text, JSON.stringify(answer.headers));
    return answer;
  };
  const use = (body: object) => ask('PUT', '/api/catalog-source', { body });
  return { clock, first, ask, use, logged: () => logged.join('\n') };
}

test('a remote catalog is listed and deployed from, and removed with its token', async () => {
  const { first, ask, use, logged } = await beside();
  const token = await small.newToken({ name: 'for-the-first' });
  const base = `${small.daemon.url}/api/v1`;
  const events = watchDaemon(first.daemon.url);
  onTestFinished(() => void events.return(undefined));
  await events.next();

  const chosen = await use({ url: `${base}/`, token, dialect: 'specification' });
  const status = {
    ...{ kind: 'remote', url: base, hasToken: true, problem: null, fetchedAt: expect.any(String) },
    total: smallCatalog.length,
  };
  expect(chosen).toMatchObject({ status: 200, body: status });
  for await (const event of events) {
    if (event.type !== 'catalog-source.changed' || event.catalogSource.kind !== 'remote') continue;
    expect(event.catalogSource).toEqual(chosen.body);
    break;
  }
  const there = (await small.ask('GET', '/api/v1/catalog/list')).text;
  expect((await ask('GET', '/api/v1/catalog/list')).text).toBe(there);
  expect((await ask('GET', '/api/models?fits=true')).body.models).toHaveLength(smallCatalog.length);
  const { fit, recipes } = (await ask('GET', '/api/models/ada/Huge-GGUF')).body;
  expect([fit.fits, recipes[0].reason]).toEqual([true, 'The catalog service chooses its compute.']);

  // The endpoint is created there, not here.
  const wanted = { namespace: 'lab', config: { type: 'public' } };
  for (const path of ['model/ada/Tiny-GGUF', 'recipe/tiny-q8']) {
    const { status, body } = await ask('POST', `/api/v1/catalog/${path}/deploy`, { body: wanted });
    expect(status).toBe(200);
    expect(body.endpoint).toMatchObject({ type: 'public', status: { createdBy: { name: 'for-the-first' } } });
    const { name } = body.endpoint;
    const { body: there } = await small.ask('GET', `/v2/endpoint/lab/${name}`);
    expect(withoutProgress(there)).toEqual(withoutProgress(body.endpoint));
    expect((await ask('GET', `/v2/endpoint/lab/${name}`)).status).toBe(404);
    await small.ask('DELETE', `/v2/endpoint/lab/${name}`);
  }
  // Its refusals become ours, with the same text and issues.
  const deploy = (path: string, body: object = wanted) => ask('POST', `/api/v1/catalog/${path}/deploy`, { body });
  const huge = await deploy('model/ada/Huge-GGUF');
  expect(huge.status).toBe(409);
  expect(huge.body.error).toContain('No compatible compute found for the model');
  expect((await deploy('model/ada/nothing')).status).toBe(404);
  const taken = { namespace: 'lab', config: { name: 'taken' } };
  await small.ask('POST', '/api/v1/catalog/recipe/tiny-q4/deploy', { body: taken });
  const refused = await deploy('recipe/tiny-q4', taken);
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: ['config', 'name'] }] } });
  expect((await deploy('recipe/tiny-q4', { namespace: 'lab', extra: 1 })).status).toBe(400);
  expect((await ask('POST', '/api/v1/catalog/recipe/tiny-q4/deploy', { token: null, body: wanted })).status).toBe(401);

  const forgotten = await ask('DELETE', '/api/catalog-source');
  expect((await readdir(first.daemon.dataDir)).filter((file) => file.includes('catalog'))).toEqual([]);
  expect(forgotten.body).toMatchObject({ kind: 'embedded', url: null, hasToken: false, total: shipped.length });
  expect((await ask('GET', '/api/v1/catalog/list')).body.items).toHaveLength(shipped.length);
  const again = await use({ url: base });
  expect(again.body).toMatchObject({ kind: 'remote', hasToken: false });
  expect((await deploy('recipe/tiny-q4')).status).toBe(502);
  expect(logged()).not.toContain(token);
  expect(logged()).toContain(`listening at ${first.daemon.url}`);
});

test('its copy is shown with a reason while the service is unreachable, and updated when it is back', async () => {
  const { clock, ask, use, logged } = await beside();
  const folder = await newDataDir();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = { dataDir: folder, catalogFile: await writeSmallCatalog(folder) };
  const remote = await startCheckedDaemon(options);
  const port = Number(new URL(remote.daemon.url).port);
  const token = await remote.newToken();
  await use({ url: `${remote.daemon.url}/api/v1`, token });
  const listed = (await ask('GET', '/api/v1/catalog/list')).text;
  await remote[Symbol.asyncDispose]();

  const gone = (await clock.during(ask('POST', '/api/catalog-source/refresh'))).body; // it asks again, with pauses
  expect(gone).toMatchObject({ kind: 'remote', hasToken: true, total: smallCatalog.length });
  expect(gone.problem).toMatch(/^[A-Z].*cannot be reached.*\.$/);
  expect((await ask('GET', '/api/v1/catalog/list')).text).toBe(listed);
  expect((await ask('GET', '/api/models')).body.source).toEqual(gone);
  const deploy = () => ask('POST', '/api/v1/catalog/recipe/tiny-q4/deploy', { body: { namespace: 'lab' } });
  expect((await deploy()).status).toBe(502);
  const nothing = await use({ url: `${small.daemon.url}/nothing/api/v1` });
  expect(nothing).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('no catalog at this address') },
  });
  expect((await ask('GET', '/api/catalog-source')).body).toEqual(gone);

  const back = await startCheckedDaemon({ ...options, port });
  onTestFinished(() => back[Symbol.asyncDispose]());
  expect((await ask('POST', '/api/catalog-source/refresh')).body).toMatchObject({
    problem: null,
    total: smallCatalog.length,
  });
  const { status, body } = await deploy();
  expect(status).toBe(200);
  expect((await back.ask('GET', `/v2/endpoint/lab/${body.endpoint.name}`)).status).toBe(200);
  expect(logged()).not.toContain(token);
});

test.each([
  [{}, ['url']],
  [{ url: '' }, ['url']],
  [{ url: 'http://catalog.example/api/v1' }, ['url']],
  [{ url: 'https://catalog.example' }, ['url']],
  [{ url: 'https://me:secret@catalog.example/api/v1' }, ['url']],
  [{ url: 'http://127.0.0.1:9/api/v1', token: 'two words' }, ['token']],
  [{ url: 'http://127.0.0.1:9/api/v1', dialect: 'klingon', more: 1 }, ['dialect', 'more']],
])('%j is refused before anybody is asked', async (body, wrong) => {
  const { status, body: refusal } = await small.ask('PUT', '/api/catalog-source', { body });
  expect(status).toBe(400);
  expect(refusal.issues.map(({ path }: { path: string[] }) => path.join('.'))).toEqual(wrong);
  expect(JSON.stringify(refusal)).not.toContain('secret');
  expect((await small.ask('GET', '/api/catalog-source')).body.kind).toBe('embedded');
});

test("the daemon's own address is refused", async () => {
  const { status, body } = await small.ask('PUT', '/api/catalog-source', {
    body: { url: `${small.daemon.url}/api/v1` },
  });
  expect({ status, error: body.error }).toEqual({ status: 400, error: "This is the daemon's own address." });
});
