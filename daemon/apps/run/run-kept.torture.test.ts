/** The record, output and variables of a run, over real HTTP, with real Python apps. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { fixtureApp, newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let dataDir: string;
let daemon: TestDaemon;
beforeAll(async () => {
  dataDir = await newDataDir();
  daemon = await startTestDaemon({ dataDir });
  for (const name of ['polite', 'crashes', 'prints_environment'])
    expect(await daemon.install(fixtureApp(name))).toMatchObject({ state: 'done', failure: null });
});
afterAll(async () => {
  await daemon?.stop();
  await rm(dataDir, { recursive: true, force: true });
});
afterEach(async () => {
  await daemon.post('/api/apps/stop-current-app?force=true');
  await isOver();
});

const start = (name: string) => daemon.post(`/api/apps/start-app/${name}`);
const stop = (query = '') => daemon.post(`/api/apps/stop-current-app${query}`);
const written = (...texts: string[]) =>
  vi.waitFor(async () => expect(await daemon.output()).toEqual(expect.arrayContaining(texts)));
const isOver = () => vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));

describe('the variables of an app', () => {
  const variables = (name: string) => `/api/apps/installed/prints_environment/variables/${name}`;
  const set = (name: string, body: unknown) => daemon.put(variables(name), body);

  test('are passed to it; a secret is shown nowhere, even when the app prints it', async () => {
    expect((await set('APP_ROOM', { value: 'kitchen', secret: false })).status).toBe(200);
    const all = [
      { name: 'APP_ROOM', value: 'kitchen', secret: false },
      { name: 'APP_TOKEN', value: null, secret: true },
    ];
    expect(await set('APP_TOKEN', { value: 'hf_do-not-show', secret: true })).toEqual({ status: 200, body: all });
    await start('prints_environment');
    await written('ready');
    const lines = ['APP_ROOM=kitchen', 'APP_TOKEN=••••••', 'ROBOT_APP_NAME=prints_environment', 'ready'];
    expect(await daemon.output()).toEqual(lines);
    const stopped = stop();
    const alive = await vi.waitFor(async () => {
      const slot = await daemon.slot();
      if (slot.state !== 'stopping' || slot.alive.length < 2) throw new Error('not both are listed yet');
      return slot.alive;
    });
    expect(alive.map(({ command }) => command)).toContainEqual(expect.stringMatching(/signal\.pause\(\) ••••••$/));
    await stop('?force=true');
    const { runId, killed } = (await stopped).body.lastRun;
    expect(JSON.stringify([alive, killed])).not.toContain('hf_do-not-show');
    const kept = (await daemon.get(`/api/apps/runs/${runId}/output`)).body;
    expect(kept.lines.map(({ text }: { text: string }) => text)).toEqual(lines);
    expect((await daemon.get('/api/apps/installed/prints_environment/variables')).body).toEqual(all);
    expect(await filesWith(dataDir, 'hf_do-not-show')).toEqual([]);
    await daemon.delete(variables('APP_TOKEN'));
    expect((await daemon.delete(variables('APP_ROOM'))).status).toBe(200);
    await start('prints_environment');
    await written('APP_TOKEN=None', 'APP_ROOM=None', 'ready');
  });

  test("are refused for the daemon's own names and for an app that is not installed", async () => {
    for (const name of ['ROBOT_RUN_TOKEN', 'robot_daemon_url', 'PYTHONPATH', 'PATH', 'LD_PRELOAD', 'a-b'])
      expect((await set(name, { value: 'x', secret: false })).status).toBe(400);
    expect((await set('A', { value: 5 })).status).toBe(400);
    expect((await daemon.get('/api/apps/installed/nobody/variables')).status).toBe(404);
  });
});

describe('ended runs', () => {
  test('are listed newest first and reported when they end, and their output is available later', async () => {
    const events = await Heard.open(`${daemon.url}/api/events`);
    await start('crashes');
    await isOver();
    await start('polite');
    await written('ready');
    await stop();
    await events.until((text) => (text.match(/"type":"app-run.ended"/g) ?? []).length === 2);
    events.close();
    const { body: runs } = await daemon.get('/api/apps/runs?limit=2');
    expect(runs).toMatchObject([
      { appName: 'polite', outcome: 'stopped' },
      { appName: 'crashes', outcome: 'crashed' },
    ]);
    expect((await daemon.get('/api/apps/runs?app=crashes&limit=1')).body).toEqual([runs[1]]);
    const { body: output } = await daemon.get(`/api/apps/runs/${runs[1].runId}/output`);
    expect(output).toMatchObject({ runId: runs[1].runId, appName: 'crashes', firstKept: 1 });
    expect(output.lines[0].text).toBe('about to fail');
    expect((await daemon.get(`/api/apps/runs/${runs[1].runId}/output?after=${output.last}`)).body.lines).toEqual([]);
    expect((await daemon.get('/api/apps/runs/0123456789abcdef/output')).status).toBe(404);
    expect((await daemon.get('/api/apps/runs/..%2f../output')).status).toBe(400);
    expect((await daemon.get('/api/apps/runs?limit=201')).status).toBe(400);
  });

  test('that crashed stay until somebody has seen them, over the start of another app and of the daemon', async () => {
    await start('crashes');
    await isOver();
    await start('polite');
    await written('ready');
    const [{ run, seen } = { run: { runId: '' }, seen: true }] = (await daemon.get('/api/apps/crashes')).body;
    expect([run, seen]).toEqual([expect.objectContaining({ appName: 'crashes', outcome: 'crashed' }), false]);
    await daemon.stop();
    daemon = await startTestDaemon({ dataDir });
    expect((await daemon.get('/api/apps/crashes')).body).toEqual([{ run, seen: false }]);
    const see = (runId: string, body?: unknown) => daemon.post(`/api/apps/runs/${runId}/seen`, body);
    const seenNow = { status: 200, body: [{ run, seen: true }] };
    expect(await Promise.all([see(run.runId), see(run.runId, { seen: false })])).toEqual([seenNow, seenNow]);
    expect((await see('0123456789abcdef')).status).toBe(404);
    for (const bad of ['..%2f..', 'X'.repeat(16), 'a'.repeat(5_000)]) expect((await see(bad)).status).toBe(400);
  });

  test('are known to the next daemon, with the output of the last one', async () => {
    await start('polite');
    await written('ready');
    await stop();
    const [slot, output, runs] = [await daemon.slot(), await daemon.outputPage(), await daemon.get('/api/apps/runs')];
    await daemon.stop();
    daemon = await startTestDaemon({ dataDir });
    expect([await daemon.slot(), await daemon.outputPage()]).toEqual([slot, output]);
    expect(await daemon.get('/api/apps/runs')).toEqual(runs);
  });
});

/** The files under a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)));
  return files.filter((_, index) => found[index]);
}

/** The events of a page. */
class Heard {
  readonly #abort = new AbortController();
  #text = '';

  static async open(url: string): Promise<Heard> {
    const source = new Heard();
    const { body } = await fetch(url, { signal: source.#abort.signal });
    void source.#read(body as ReadableStream<Uint8Array>).catch(() => {});
    await source.until((text) => text.includes('"type":"snapshot"'));
    return source;
  }

  until(holds: (text: string) => boolean): Promise<void> {
    return vi.waitFor(() => expect(holds(this.#text)).toBe(true));
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of body) this.#text += decoder.decode(chunk, { stream: true });
  }
}
