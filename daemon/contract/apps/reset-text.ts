import { byteText } from '../common/byte-text.ts';
import type { AppContents } from './reset.ts';

// Apart from the schemas, which a page must not load before it shows anything.

/** `3 files, 1.2 MB, and 2 variables`, `1 file, 640 kB`, `more than 100000 files, over 3 GB`, `1 variable`; null: nothing. */
export function contentsText({
  files,
  bytes,
  more,
  variables,
}: Pick<AppContents, 'files' | 'bytes' | 'more' | 'variables'>): string | null {
  const [least, over] = more ? ['more than ', 'over '] : ['', ''];
  const parts = [
    ...(files > 0 ? [`${least}${counted(files, 'file')}, ${over}${byteText(bytes)}`] : []),
    ...(variables.length > 0 ? [counted(variables.length, 'variable')] : []),
  ];
  return parts.length > 0 ? parts.join(', and ') : null;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
