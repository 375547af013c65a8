import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { amdUsage, type CardReading, cardUsage, readingsOf } from './card-usage.ts';

/** A folder like /sys/class/drm. @param cards the text of `gpu_busy_percent` by card; null: the driver has no such file */
async function drmDir(cards: Readonly<Record<string, string | null>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'drm-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [card, text] of Object.entries(cards)) {
    const device = join(root, 'devices', card);
    await mkdir(device, { recursive: true });
    await mkdir(join(root, card));
    await symlink(device, join(root, card, 'device'));
    if (text !== null) await writeFile(join(device, 'gpu_busy_percent'), text);
  }
  return root;
}
const busy = (percent: number) => ({ name: null, maker: 'amd', percent });

test('the use of the cards of AMD is what the kernel says of each; a card that does not tell is unknown', async () => {
  const dir = await drmDir({
    ...{ card0: '37\n', card1: '100\n', card2: null, card3: '', card4: '255\n', card5: 'busy\n', card10: '0\n' },
    ...{ 'card0-DP-1': '5\n', renderD128: '37\n' }, // a monitor, and the same card again
  });
  expect(await amdUsage(dir)).toEqual([busy(37), busy(100), busy(0)]);
  expect(await amdUsage(join(dir, 'nowhere'))).toEqual([]);
});

test('the use of all is the mean of those that tell', async () => {
  const dir = await drmDir({ card0: '90\n', card1: '20\n', card2: null });
  expect(await cardUsage([], {}, dir)).toBe(55);
  expect(await cardUsage([], {}, await drmDir({ card0: null }))).toBeNull();
});

const rtx: CardReading = { name: 'NVIDIA GeForce RTX 4090', maker: 'nvidia', percent: 95 };
const gt: CardReading = { name: 'NVIDIA GeForce GT 1030', maker: 'nvidia', percent: 0 };
const radeon: CardReading = { name: null, maker: 'amd', percent: 3 };

test.each<[string, readonly string[], readonly CardReading[]]>([
  ['all where none is named', [], [rtx, gt, radeon]],
  ['the one of its name', ['NVIDIA GeForce RTX 4090'], [rtx]],
  ['one that replicas share, once', ['NVIDIA GeForce GT 1030', 'NVIDIA GeForce GT 1030'], [gt]],
  ['those of its maker, where its name differs', ['NVIDIA TITAN V'], [rtx, gt]],
  ['those of AMD', ['AMD Radeon Graphics (RADV RENOIR)'], [radeon]],
  ['those of AMD by an older name', ['Radeon RX 580 Series (RADV POLARIS10)'], [radeon]],
  ['none of a maker that does not tell', ['Intel(R) Arc(tm) A770 Graphics (DG2)'], []],
])('the readings of cards are %s', (_, names, expected) => {
  expect(readingsOf(names, [rtx, gt, radeon])).toEqual(expected);
});
