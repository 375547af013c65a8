import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAppPackage } from '../apps/app-packages.ts';
import { builtBy } from '../apps/hostile-apps.ts';

/** Writes an app whose sources need more space than a small disk has. @returns its folder */
export async function tooLarge(folder: string): Promise<string> {
  const dir = await writeAppPackage(join(folder, 'large'), { name: 'large' });
  const file = join(dir, 'large', 'moves.bin');
  await writeFile(file, '');
  await truncate(file, 300_000_000);
  return dir;
}

/** The same, for its build. */
export function fillsTheDisk(folder: string): Promise<string> {
  const lines = ['with open("filler", "wb") as file:', '    while True: file.write(b"x" * 1_000_000)'];
  return writeAppPackage(join(folder, 'growing'), builtBy('growing', lines));
}
