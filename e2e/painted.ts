/** The colours of a page as they are painted, and those of the system. */
import type { Locator, Page } from '@playwright/test';

/** The colours of a picture, each with its share, from 0 to 1. Named as computed styles do, `rgb(0, 0, 0)`. */
type PaintedColours = ReadonlyMap<string, number>;

/** The colours in which a control is painted. */
export async function paintedIn(control: Locator): Promise<PaintedColours> {
  return coloursOf(control.page(), await control.screenshot({ animations: 'disabled' }));
}

/** The colours of a whole page, with what is below the window. */
export async function paintedOnPage(page: Page): Promise<PaintedColours> {
  return coloursOf(page, await page.screenshot({ fullPage: true, animations: 'disabled' }));
}

/** The browser decodes the picture: as a blob, since the policy of the page allows no address of data. */
async function coloursOf(page: Page, picture: Buffer): Promise<PaintedColours> {
  const shares = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (!context) throw new Error('This browser has no canvas');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const counts = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].map(([colour, count]) => [colour, (4 * count) / data.length] as const);
  }, picture.toString('base64'));
  return new Map(shares);
}

/** The colours of the system by their names in CSS, `Highlight`, as computed styles name them. */
export async function systemColours<Name extends string>(
  page: Page,
  ...names: readonly Name[]
): Promise<Readonly<Record<Name, string>>> {
  const colours = await page.evaluate((all) => {
    const probe = document.body.appendChild(document.createElement('span'));
    const entries = all.map((name) => {
      probe.style.setProperty('color', name);
      return [name, getComputedStyle(probe).color] as const;
    });
    probe.remove();
    return Object.fromEntries(entries);
  }, names);
  return colours as Record<Name, string>;
}

/** A colour as it is painted on a ground, which shows through one that is not opaque. Both as computed styles name them. */
export function paintedOver(page: Page, colour: string, ground: string): Promise<string> {
  return page.evaluate(
    (layers) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (!context) throw new Error('This browser has no canvas');
      for (const layer of layers) {
        context.fillStyle = layer;
        context.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
      return `rgb(${red}, ${green}, ${blue})`;
    },
    [ground, colour],
  );
}
