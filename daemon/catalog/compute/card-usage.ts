import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nvidiaUsage } from './nvidia-gpus.ts';

/** Where Linux has a folder for each graphics card. */
const DRM_DIR = '/sys/class/drm';
/** Drivers name cards of AMD "AMD Radeon RX 7900 XTX (RADV NAVI31)", or without the maker. */
const OF_AMD = /\b(?:AMD|Radeon)\b/i;
const OF_NVIDIA = /NVIDIA/i;

/** The percent of the time in which one card computed. */
export interface CardReading {
  /** null: its driver does not tell. */
  readonly name: string | null;
  readonly maker: 'amd' | 'nvidia';
  readonly percent: number;
}

/**
 * How busy graphics cards are, all programs counted: NVIDIA's as `nvidia-smi` reports it, AMD's as the kernel of Linux does.
 * Others do not tell.
 * @param names the cards that are asked about, as their drivers name them; empty: all
 * @param env the complete environment for `nvidia-smi`, with PATH
 * @returns the mean of those that are known, in percent; null: none is
 */
export async function cardUsage(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
  drmDir = DRM_DIR,
): Promise<number | null> {
  const [nvidia, amd] = await Promise.all([nvidiaUsage(env), amdUsage(drmDir)]);
  return meanOf(readingsOf(names, [...nvidia.map((each) => ({ ...each, maker: 'nvidia' as const })), ...amd]));
}

/** AMD's cards with their use; see the documentation of the kernel, "amdgpu", `gpu_busy_percent`. */
export async function amdUsage(drmDir: string): Promise<CardReading[]> {
  const cards = (await readdir(drmDir).catch(() => [])).filter((name) => /^card\d+$/.test(name)).sort();
  const texts = await Promise.all(
    cards.map((card) => readFile(join(drmDir, card, 'device', 'gpu_busy_percent'), 'utf8').catch(() => '')),
  );
  return texts.flatMap((text) => {
    const percent = percentOf(text);
    return percent === null ? [] : [{ name: null, maker: 'amd' as const, percent }];
  });
}

/** Of the readings those of some cards: by their names, else by their makers. A laptop may have a card of each. */
export function readingsOf(names: readonly string[], readings: readonly CardReading[]): readonly CardReading[] {
  if (names.length === 0) return readings;
  const own = new Set(
    names.flatMap((name) => {
      const same = readings.filter((reading) => reading.name === name);
      if (same.length > 0) return same;
      return readings.filter(({ maker }) => (maker === 'amd' ? OF_AMD : OF_NVIDIA).test(name));
    }),
  );
  return [...own];
}

function meanOf(readings: readonly CardReading[]): number | null {
  return readings.length === 0 ? null : readings.reduce((sum, { percent }) => sum + percent, 0) / readings.length;
}

function percentOf(text: string): number | null {
  const percent = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return percent <= 100 ? percent : null;
}
