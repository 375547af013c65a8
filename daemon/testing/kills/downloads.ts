import { createHash } from 'node:crypto';
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { tinyGguf } from '../models/tiny-gguf.ts';
import type { KilledProgram, KilledWork } from './killed-work.ts';

/** A whole download takes three seconds: a process lives for a part of it. */
const BYTES_PER_SECOND = 150_000;
const WITHIN_MS = 1_200;
const FILE = 'model.gguf';
const program = join(import.meta.dirname, '..', 'models', 'download-model.ts');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A process downloads models: the next one continues, and each file is whole or absent. */
export const downloads: KilledWork = {
  name: 'a download',
  parts: ['of a model'],
  kills: 4,
  begin: async () => new KilledDownloads(await startFakeHub(), await mkdtempDisposable(join(tmpdir(), 'downloads-'))),
};

interface Model {
  readonly repository: string;
  /** Its path after the download. */
  readonly file: string;
  readonly content: Buffer;
}

class KilledDownloads implements KilledProgram {
  readonly #hub: FakeHub;
  readonly #folder: AsyncDisposable & { readonly path: string };
  /** Those whose downloads have ended, and then the one under way. */
  readonly #models: Model[] = [];

  constructor(hub: FakeHub, folder: AsyncDisposable & { readonly path: string }) {
    this.#hub = hub;
    this.#folder = folder;
  }

  async kill(_part: string, number: number, random: () => number): Promise<string> {
    const underWay = this.#models.at(-1)?.file;
    const isFirst = underWay === undefined || (await sizeOf(underWay)) > 0;
    if (isFirst) await this.#addModel(number);
    const model = this.#models.at(-1) as Model;
    const { file, content } = model;
    const asked = this.#hub.requests.length;
    const before = await sizeOf(`${file}.part`);
    this.#hub.misbehave({ bytesPerSecond: BYTES_PER_SECOND, only: /^\/large-files/ });
    const child = this.#download(model);
    const hasBegun = async () => (await sizeOf(`${file}.part`)) > before || (await sizeOf(file)) > 0;
    const ended = child.then(async () => expect(await hasBegun(), 'the download ended before it had begun').toBe(true));
    await Promise.race([vi.waitFor(async () => expect(await hasBegun()).toBe(true), { interval: 5 }), ended]);
    await sleep(random() * WITHIN_MS);
    child.kill('SIGKILL');
    await child;
    if (before > 0) {
      const ranges = this.#hub.requests.slice(asked).filter(({ path }) => path.startsWith('/large-files/'));
      // One that was killed with all bytes, before it had checked them, asks for none.
      const expected = before < content.length ? [expect.stringMatching(`^bytes=${before}-`)] : [];
      expect(ranges.map(({ range }) => range)).toEqual(expected);
    }
    const whole = await readFile(file).catch(() => null);
    if (whole !== null) expect(sha256(whole)).toBe(sha256(content));
    return `${isFirst ? 'a first one' : 'one that continues'} (${whole === null ? 'a part' : 'whole'})`;
  }

  async #addModel(number: number): Promise<void> {
    const repository = `ada/tiny-${number}`;
    const content = tinyGguf({ seed: number });
    const { sha } = await this.#hub.addModel({ id: repository, files: { [FILE]: { lfs: content } } });
    this.#models.push({ repository, content, file: join(this.#folder.path, `ada--tiny-${number}`, sha, FILE) });
  }

  #download({ repository }: Model) {
    const args = [program, this.#folder.path, this.#hub.url, repository, FILE];
    return execa(process.execPath, args, { reject: false, stderr: 'inherit' });
  }

  /** Ends the last download. */
  async #finish(): Promise<void> {
    this.#hub.misbehave({});
    const last = this.#models.at(-1) ?? expect.fail('nothing was downloaded');
    expect((await this.#download(last)).stdout).toContain('done ');
    for (const model of this.#models) {
      const { repository, file, content } = model;
      // One that was killed right after it had given the file its name left the description of the part to the next one.
      if ((await readdir(dirname(file))).length > 1) await this.#download(model);
      expect(await readdir(dirname(file)), repository).toEqual([FILE]);
      expect(sha256(await readFile(file)), repository).toBe(sha256(content));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#finish();
    } finally {
      for (const each of [this.#hub, this.#folder]) await each[Symbol.asyncDispose]();
    }
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
