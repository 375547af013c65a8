/** Downloads on a disk that is too small, or fills up on the way. */
import { readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayMount, smallDisk } from '../testing/daemon/small-disk.ts';
import { startFakeHub } from '../testing/fake-hub.ts';
import { modelFilesIn } from '../testing/models/model-files-in.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';

const MB = 1_000_000;
const isPossible = await mayMount();
if (!isPossible) console.warn('SKIPPED: this user may not mount a small disk');

test.skipIf(!isPossible)(
  'a full disk is told before the first byte; one that fills up keeps what is there, and the download continues',
  async () => {
    await using hub = await startFakeHub();
    const large = Buffer.concat([tinyGguf(), Buffer.alloc(6 * MB, 7)]); // bytes after the tensors do no harm
    await hub.addModel({ id: 'ada/large', files: { 'large.gguf': { lfs: large } } });
    await using disk = (await smallDisk(10)) as NonNullable<Awaited<ReturnType<typeof smallDisk>>>;
    const folder = join(disk.dir, 'models');
    const models = modelFilesIn(folder, hub.url);
    const wanted = { repository: 'ada/large', revision: null, model: 'large.gguf', mmproj: null, draft: null };
    const options = { signal: new AbortController().signal, onProgress: () => {} };
    const filler = join(disk.dir, 'filler');
    const fill = async (leaveBytes: number) => {
      const { bavail, bsize } = await statfs(disk.dir);
      await writeFile(filler, Buffer.alloc(bavail * bsize - leaveBytes));
    };
    const transfers = () => hub.requests.filter(({ path }) => path.startsWith('/large-files/'));

    await fill(2 * MB);
    await expect(models.ensure(wanted, options)).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringMatching(
        `^The disk of ${folder} has too little space: [456]([.]\\d)? MB more are needed[.]$`,
      ),
      action: expect.stringMatching(/^Free some space/),
    });
    expect(transfers()).toEqual([]);
    await rm(filler);

    hub.misbehave({ bytesPerSecond: 4 * MB, only: /^\/large-files/ });
    const filling = expect(models.ensure(wanted, options)).rejects.toMatchObject({ code: 'disk-full' });
    while (transfers().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await fill(2 * MB);
    await filling;
    const [partial] = await models.list();
    expect(partial).toMatchObject({ path: 'large.gguf', state: 'partial', totalBytes: large.length });
    expect(partial?.bytes).toBeGreaterThan(MB);

    await rm(filler);
    hub.misbehave({});
    const { modelPath, commit } = await modelFilesIn(folder, hub.url).ensure(wanted, options);
    expect((await readFile(modelPath)).equals(large)).toBe(true);
    expect(transfers().at(-1)?.range).toBe(`bytes=${partial?.bytes}-${large.length - 1}`);
    expect(await readdir(join(folder, 'ada--large', commit))).toEqual(['large.gguf']);
  },
);
