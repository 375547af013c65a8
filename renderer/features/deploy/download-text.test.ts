import { expect, test } from 'vitest';
import { recipeDownload } from '../../testing/model-fixtures.ts';
import { downloadSizeText, downloadText, noRoomText } from './download-text.ts';

const disk = { folder: '/data/models', freeBytes: 120e9 };

test('the download is stated with the free space, and so is what is unknown', () => {
  const text = (change: object, on: typeof disk | null = disk) =>
    downloadText(recipeDownload('q4', change), on, { engineType: 'llamacpp' });
  expect(text({})).toBe('Downloads 5.0 GB; the disk has 120 GB free.');
  expect(text({ isExact: false })).toBe('Downloads about 5.0 GB; the disk has 120 GB free.');
  expect(text({ missingBytes: 1.2e9 })).toBe('Downloads the missing 1.2 of 5.0 GB; the disk has 120 GB free.');
  expect(text({ missingBytes: 0 })).toBe('Its file (5.0 GB) is on this machine: nothing is downloaded.');
  expect(text({ totalBytes: null, missingBytes: null, isExact: false })).toBe(
    'The size of its download is unknown; the disk has 120 GB free.',
  );
  expect(text({}, null)).toBe('Downloads 5.0 GB; the free space of the disk is unknown.');
  expect(downloadSizeText({ totalBytes: null, isExact: false })).toBe('unknown');
});

test('the image of an engine is downloaded too, and nobody knows its size', () => {
  const text = (change: object) => downloadText(recipeDownload('cpu', change), disk, { engineType: 'tei' });
  expect(text({})).toBe('Downloads 5.0 GB, and the image of its engine if that is missing; the disk has 120 GB free.');
  expect(text({ missingBytes: 1.2e9 })).toMatch(/^Downloads the missing 1\.2 of 5\.0 GB, and the image of its engine/);
  expect(text({ missingBytes: 0 })).toBe(
    'Its files (5.0 GB) are on this machine; the image of its engine is downloaded if it is missing.',
  );
});

test('a disk that is too full is named with what is missing', () => {
  const text = (change: object, on: typeof disk | null = disk) => noRoomText(recipeDownload('q4', change), on);
  expect(text({})).toBeNull();
  expect(text({ lackingBytes: null })).toBeNull();
  expect(text({ lackingBytes: 3.4e9 })).toBe('The disk of /data/models has too little space: 3.4 GB more are needed.');
  expect(text({ lackingBytes: 3.4e9, isExact: false }, null)).toBe(
    'The disk has too little space: about 3.4 GB more are needed.',
  );
});
