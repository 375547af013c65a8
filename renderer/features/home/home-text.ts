import { byteText } from '../../../daemon/contract/common/byte-text.ts';

export const bringYourOwnText = 'Find one in Discover, install one from a folder, or write your own from a template.';

export const littleSpaceTitle = (freeBytes: number, totalBytes: number): string =>
  `Little space: ${byteText(freeBytes)} of ${byteText(totalBytes)} free`;
export const littleSpaceText = (dataDir: string): string =>
  `Remove apps or models that you do not need; they are in ${dataDir}.`;

/** Of a program that the daemon did not start. @param isHere whether it runs on this machine */
export const startedElsewhereText = (isHere: boolean): string =>
  `${isHere ? 'A program on this machine' : 'A remote session'} moves the robot: stop it where it was started.`;

/** Why the endpoint of a need is not shown. @param deleted its name; null: none is assigned */
export const noEndpointText = (deleted: string | null): string =>
  deleted === null ? 'no endpoint is assigned' : `its endpoint ${deleted} was deleted`;
