/** Generates the icons of packages and the page from the two drawings in assets/icons. The results are committed. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { prepareChromium } from './environment/chromium.ts';
import { projectDir } from './environment/project.ts';

type Picture = readonly [size: number, png: Buffer];

const icons = join(projectDir, 'assets', 'icons');
/** The largest size in pixels for which the small drawing is used. */
const LARGEST_SMALL = 48;
/** Windows gives icons no margin of their own: there the large drawing is cut down to its tile, as the small one is. */
const MARGINS = 'viewBox="0 0 1024 1024"';
const TILE = 'viewBox="100 100 824 824"';

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];
/** An entry's type says the size in pixels, and whether they are a screen's of double density. */
const macTypes = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 };

async function draw(page: Page, svg: string, size: number): Promise<Picture> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  return [size, await page.screenshot({ omitBackground: true })];
}

/** The container of Windows: a table of pictures, then their bytes. */
function ico(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2); // icons, not cursors
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const entry = 6 + 16 * index;
    header.writeUInt8(size % 256, entry); // 0 stands for 256
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4); // planes
    header.writeUInt16LE(32, entry + 6); // bits a pixel
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(([, png]) => png)]);
}

/** The container of macOS: chunks of a type, a length and a picture, in one chunk of the type icns. */
function icns(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const entries = Object.entries(macTypes).map(([type, size]) => chunk(type, pictures.get(size) as Buffer));
  return chunk('icns', Buffer.concat(entries));
}

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}

const large = await readFile(join(icons, 'icon.svg'), 'utf8');
const small = await readFile(join(icons, 'icon-small.svg'), 'utf8');
if (!large.includes(MARGINS)) throw new Error(`icon.svg is to have ${MARGINS}, which is cut down for Windows.`);

const executablePath = await prepareChromium();
const browser = await chromium.launch(executablePath ? { executablePath } : {});
try {
  const page = await browser.newPage();
  const inSizes = async (sizes: readonly number[], drawing: string): Promise<Picture[]> => {
    const pictures: Picture[] = [];
    for (const size of sizes) pictures.push(await draw(page, size <= LARGEST_SMALL ? small : drawing, size));
    return pictures;
  };
  const withMargins = new Map(await inSizes(linuxSizes, large));
  const tiles = await inSizes(windowsSizes, large.replace(MARGINS, TILE));

  await mkdir(join(icons, 'png'), { recursive: true });
  for (const [size, png] of withMargins) await writeFile(join(icons, 'png', `${size}x${size}.png`), png);
  await writeFile(join(icons, 'icon.png'), withMargins.get(1024) as Buffer);
  await writeFile(join(icons, 'icon.ico'), ico(tiles));
  await writeFile(join(icons, 'icon.icns'), icns(withMargins));
  await copyFile(join(icons, 'icon-small.svg'), join(projectDir, 'renderer', 'public', 'favicon.svg'));
} finally {
  await browser.close();
}
