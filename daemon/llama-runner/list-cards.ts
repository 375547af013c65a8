import { setTimeout as sleep } from 'node:timers/promises';
import { LOG_MS, openLibrary } from './library.ts';

/** A line for each card: `0 = A card (a driver) | uma: 0 | fp16: 1 | …`, by llama.cpp's Vulkan interface. */
const VULKAN_LINE = /ggml_vulkan: \d+ = (?<name>.+) \((?<driver>[^()]*)\) \| uma: (?<uma>[01]) /;

/**
 * Writes the graphics cards that models may use as one line of JSON, see ListedCards in daemon/graphics-cards/ask-runner.ts. Those that the environment selects,
 * else all but software ones. The library knows the memory of all together: a list with one card tells the card's.
 * @throws Error: the library cannot be loaded, as without the system's Vulkan loader
 */
export async function listCards(): Promise<void> {
  const lines: string[] = [];
  const { llama } = await openLibrary({
    usesCard: true,
    threads: 1,
    onMessage: (level, text) => {
      lines.push(text);
      if (level === 'error' || level === 'warn') process.stderr.write(`${level}: ${text}\n`);
    },
  });
  const names = await llama.getGpuDeviceNames();
  const { total, free, unifiedSize } = await llama.getVramState();
  await sleep(LOG_MS);
  const facts = lines.map((line) => VULKAN_LINE.exec(line)?.groups).filter((found) => found !== undefined);
  const cards = names.map((name, index) => {
    const found = facts[index];
    if (found?.['name'] !== name) return { name, driver: null, sharesMemory: unifiedSize > 0 };
    return { name, driver: found['driver'] || null, sharesMemory: found['uma'] === '1' };
  });
  const line = `${JSON.stringify({ api: llama.gpu, cards, totalBytes: total, freeBytes: free })}\n`;
  // On Windows a pipe is written to in the background: what ends the process must wait for it.
  await new Promise<void>((resolve) => process.stdout.write(line, () => resolve()));
}
