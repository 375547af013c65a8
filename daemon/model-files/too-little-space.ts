import { byteText } from '../contract/common/byte-text.ts';
import { DiskFull } from '../shared/files/storage-errors.ts';

/** The error for a folder whose disk lacks space for a download. */
export function tooLittleSpace(folder: string, lackingBytes: number): DiskFull {
  const message = `The disk of ${folder} has too little space: ${byteText(lackingBytes)} more are needed.`;
  return new DiskFull(folder, { message });
}
