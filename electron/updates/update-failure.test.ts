import { expect, test } from 'vitest';
import { updateFailure } from './update-failure.ts';

const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each<[unknown, 'look' | 'download' | 'install', string]>([
  [
    coded('ERR_CHECKSUM_MISMATCH'),
    'download',
    'What was downloaded is not the published file: its checksum differs. It was thrown away.',
  ],
  [
    new Error('New version 1.2.0 is not signed by the application owner'),
    'download',
    'The system does not accept the signature of the newer version.',
  ],
  [coded('ENOSPC', 'ENOSPC: no space left on device'), 'download', 'The disk has no room for the newer version.'],
  [coded('EROFS'), 'download', 'This user may not write where the program is.'],
  [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'look', 'The publisher lists no version for this system.'],
  [coded('HTTP_ERROR_404'), 'look', 'The publisher lists no version for this system.'],
  [coded('HTTP_ERROR_403'), 'look', 'The server of the newer versions refuses the request.'],
  [coded('ERR_UPDATER_INVALID_UPDATE_INFO'), 'look', 'The list of versions cannot be read.'],
  [new Error('net::ERR_NAME_NOT_RESOLVED'), 'look', 'The server of the newer versions does not answer.'],
  [coded('ECONNRESET'), 'download', 'The download was cut off.'],
  [new Error('Request has been aborted by the server'), 'download', 'The download was cut off.'],
  [new Error('something new'), 'look', 'The newer version could not be looked up.'],
  [coded('EACCES'), 'install', 'This user may not write where the program is.'],
  [new Error('No valid update available'), 'install', 'The newer version could not be installed.'],
  [null, 'download', 'The newer version could not be downloaded.'],
  ['a text', 'download', 'The newer version could not be downloaded.'],
])('%s at %s: %s', (error, step, reason) => {
  expect(updateFailure(error, step)).toEqual({ reason, action: expect.stringMatching(/\.$/) });
});
