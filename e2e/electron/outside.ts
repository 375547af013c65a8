import type { Desktop } from './desktop.ts';

/** Records addresses for the user's browser from now on, instead of opening it. */
export async function collectOutside({ app }: Desktop): Promise<void> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
}
/** The addresses recorded so far. */
export const outside = ({ app }: Desktop) => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
