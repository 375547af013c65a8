import { expect, test } from 'vitest';
import { EndpointChange } from '../../contract/endpoints/endpoint-request.ts';
import type { InvalidBody } from '../../shared/invalid-input.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { changed } from './endpoint-change.ts';
import type { EndpointParts } from './endpoint-parts.ts';

const before = partsNamed('a');
const originsAfter = (allowedOrigins: readonly string[], parts: Partial<EndpointParts> = {}) =>
  changed({ ...before, ...parts }, EndpointChange.parse({ allowedOrigins })).allowedOrigins;
const issuesOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as InvalidBody).issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
  throw new Error('nothing was refused');
};

test.each([
  ['http://localhost:5173', 'http://localhost:5173'],
  ['HTTP://LocalHost:5173', 'http://localhost:5173'],
  ['http://localhost:80', 'http://localhost'],
  ['https://app.example.org:443', 'https://app.example.org'],
  ['https://app.example.org:80', 'https://app.example.org:80'],
  ['http://[0:0::1]:3000', 'http://[::1]:3000'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s is listed as browsers send it', (text, origin) => {
  expect(originsAfter([text])).toEqual([origin]);
});

const EXAMPLE = 'such as http://localhost:5173.';
test.each([
  ['localhost:5173', `An origin begins with http:// or https://, ${EXAMPLE}`],
  ['ws://localhost:5173', `An origin begins with http:// or https://, ${EXAMPLE}`],
  ['file:///home/ada/index.html', `An origin begins with http:// or https://, ${EXAMPLE}`],
  ['http:localhost', `An origin begins with http:// or https://, ${EXAMPLE}`],
  ['', `An origin begins with http:// or https://, ${EXAMPLE}`],
  ['null', `Browsers send null for files and sandboxed frames. Serve the page at an address, ${EXAMPLE}`],
  ['http://*.example.org', `* stands for no part of an origin. List each origin, ${EXAMPLE}`],
  ['http://localhost:5173/', 'An origin has no path. Use http://localhost:5173.'],
  ['http://localhost:5173/app?a=1#b', 'An origin has no path. Use http://localhost:5173.'],
  ['http://localhost?a', 'An origin has no path. Use http://localhost.'],
  ['http://ada:secret@localhost', 'This is no origin. Use one such as http://localhost:5173.'],
  ['http://local\thost', 'This is no origin. Use one such as http://localhost:5173.'],
  ['http://localhost\\app', 'This is no origin. Use one such as http://localhost:5173.'],
  ['http://localhost:65536', 'This is no origin. Use one such as http://localhost:5173.'],
  ['http://', 'This is no origin. Use one such as http://localhost:5173.'],
])('%j is refused, with what to send', (text, message) => {
  expect(issuesOf(() => originsAfter(['http://localhost:1', text]))).toEqual([`allowedOrigins.1: ${message}`]);
});

test('an origin is listed once, however it is written', () => {
  expect(issuesOf(() => originsAfter(['http://localhost', 'http://LOCALHOST:80']))).toEqual([
    'allowedOrigins.1: http://localhost is listed twice.',
  ]);
});

test('a list has at most 20 origins of at most 300 characters, also in the form in which browsers send them', () => {
  const origins = Array.from({ length: 20 }, (_, index) => `http://localhost:${3_000 + index}`);
  expect(originsAfter(origins)).toEqual(origins);
  expect(EndpointChange.safeParse({ allowedOrigins: [...origins, 'http://localhost'] }).error?.issues).toMatchObject([
    { path: ['allowedOrigins'], message: 'An endpoint lists at most 20 origins.' },
  ]);
  const long = { path: ['allowedOrigins', 0], message: 'An origin has at most 300 characters.' };
  const labels = (label: string) => `http://${Array.from({ length: 60 }, () => label).join('.')}`;
  expect(EndpointChange.safeParse({ allowedOrigins: [labels('abcde')] }).error?.issues).toMatchObject([long]);
  expect(issuesOf(() => originsAfter([labels('ü')]))).toEqual([`${long.path.join('.')}: ${long.message}`]);
});

const onlyPublic = (type: string) =>
  `allowedOrigins.0: Only an endpoint of type public can allow every page with *; this one is ${type}. List the origin of each page, ${EXAMPLE}`;

test('every page is listed by a public endpoint only, also when its type changes', () => {
  expect(originsAfter(['*'], { type: 'public' })).toEqual(['*']);
  for (const type of ['authenticated', 'private'] as const) {
    expect(issuesOf(() => originsAfter(['*'], { type }))).toEqual([onlyPublic(type)]);
    const open = { ...before, type: 'public' as const, allowedOrigins: ['*'] };
    expect(issuesOf(() => changed(open, EndpointChange.parse({ type })))).toEqual([onlyPublic(type)]);
    expect(changed(open, EndpointChange.parse({ type, allowedOrigins: [] })).allowedOrigins).toEqual([]);
  }
});

test('a change of other settings leaves the list as it is', () => {
  const listed = { ...before, allowedOrigins: ['http://localhost:5173'] };
  expect(changed(listed, EndpointChange.parse({ tags: ['a'] }))).toEqual({ ...listed, tags: ['a'] });
});
