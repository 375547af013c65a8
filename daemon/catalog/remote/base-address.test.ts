import { expect, test } from 'vitest';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { baseAddress } from './remote-choice.ts';

test.each([
  ['https://catalog.example/api/v1', 'https://catalog.example/api/v1'],
  [' https://Catalog.example/api/v1/ ', 'https://catalog.example/api/v1'],
  ['https://catalog.example:8443/behind/a/proxy/api/v1//', 'https://catalog.example:8443/behind/a/proxy/api/v1'],
  ['http://127.0.0.1:8000/api/v1', 'http://127.0.0.1:8000/api/v1'],
  ['http://localhost:8000/api/v1', 'http://localhost:8000/api/v1'],
])('%s is an address of a catalog', (given, base) => {
  expect(baseAddress(given)).toBe(base);
  expect(baseAddress(base)).toBe(base);
});

test.each([
  ['http://catalog.example/api/v1', 'not encrypted'],
  ['http://192.168.1.4/api/v1', 'not encrypted'],
  ['https://me:secret@catalog.example/api/v1', 'a user name or a password'],
  ['https://catalog.example/api/v1?token=secret', 'begins with ? or #'],
  ['https://catalog.example/api/v1#top', 'begins with ? or #'],
  ['https://catalog.example/api/v1?', 'begins with ? or #'],
  ['https://catalog.example', 'end in /api/v1'],
  ['https://catalog.example/api/v1/catalog/list', 'end in /api/v1'],
  ['https://catalog.example/api/v1/../v2', 'end in /api/v1'],
  ['ftp://catalog.example/api/v1', 'https://'],
  ['catalog.example/api/v1', 'https://'],
  [`https://catalog.example/${'a'.repeat(5_000)}/api/v1`, 'too long'],
])('%s is refused: %s', (given, why) => {
  expect(() => baseAddress(given)).toThrow(InvalidBody);
  expect(() => baseAddress(given)).toThrow(why);
  expect(() => baseAddress(given)).not.toThrow('secret');
});
