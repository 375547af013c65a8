/** Kills the process that downloads a model (SIGKILL) at seeded moments; the next one continues. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeHub } from '../testing/fake-hub.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';
import { seededRandom } from '../testing/seeded-random.ts';

const kills = Number(process.env['TORTURE_KILLS'] ?? 4);
const seed = Number(process.env['TORTURE_SEED'] ?? 20_261_122);
/** A whole download takes three seconds: a process lives for a part of it. */
const BYTES_PER_SECOND = 150_000;
const WITHIN_MS = 1_200;
const program = fileURLToPath(import.meta.resolve('../testing/models/download-model.ts'));
const repository = 'ada/tiny';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test(`${kills} kills with TORTURE_SEED=${seed}: each download continues, and the file is whole or absent`, async () => {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-models-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using hub = await startFakeHub();
  const files = Object.fromEntries(
    Array.from({ length: kills + 1 }, (_, at) => [`m${at}.gguf`, { lfs: tinyGguf({ seed: at }) }]),
  );
  const { sha } = await hub.addModel({ id: repository, files });
  const download = (name: string) =>
    execa(process.execPath, [program, folder, hub.url, repository, name], { reject: false, stderr: 'inherit' });

  let at = 0;
  for (let kill = 0; kill < kills; kill++) {
    const name = `m${at}.gguf`;
    const target = join(folder, 'ada--tiny', sha, name);
    const asked = hub.requests.length;
    const before = await sizeOf(`${target}.part`);
    hub.misbehave({ bytesPerSecond: BYTES_PER_SECOND, only: /^\/large-files/ });
    const child = download(name);
    while ((await sizeOf(`${target}.part`)) <= before && (await sizeOf(target)) === 0) await sleep(5);
    await sleep(random() * WITHIN_MS);
    child.kill('SIGKILL');
    await child;
    if (before > 0) {
      const ranges = hub.requests.slice(asked).filter(({ path }) => path.startsWith('/large-files/'));
      expect(ranges.map(({ range }) => range)).toEqual([expect.stringMatching(`^bytes=${before}-`)]);
    }
    const whole = await readFile(target).catch(() => null);
    if (whole === null) continue;
    expect(sha256(whole)).toBe(sha256(files[name]?.lfs as Buffer));
    at++;
  }
  hub.misbehave({});
  expect((await download(`m${at}.gguf`)).stdout).toContain('done ');
  const there = await readdir(join(folder, 'ada--tiny', sha));
  expect(there.sort()).toEqual(
    Object.keys(files)
      .slice(0, at + 1)
      .sort(),
  );
  for (const name of there) {
    const content = await readFile(join(folder, 'ada--tiny', sha, name));
    expect(sha256(content), name).toBe(sha256(files[name]?.lfs as Buffer));
  }
});

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
