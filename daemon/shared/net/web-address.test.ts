import { describe, expect, test } from 'vitest';
import { addressProblem, isThisMachine, onwardProblem, writtenAddress } from './web-address.ts';

const hub = { hubOrigin: 'http://hub.lan:8080' };

test.each([
  'https://example.com',
  'HTTPS://Example.COM/a.git#main&subdirectory=x',
  'https://example.com:8443/owner/app.git?x=1',
  'https://bücher.example/app',
  'https://xn--bcher-kva.example/app',
  'https://10.0.0.7/app',
  'https://[2001:db8::1]:8443/app',
  'http://localhost:3000/app',
  'http://127.0.0.1/app',
  'http://127.9.9.9:1/app',
  'http://[::1]:3000/app',
  'http://hub.lan:8080/spaces/me/app',
])('%s may be gone to', (address) => expect(addressProblem(address, hub)).toBeNull());

describe('unencrypted, and neither this machine nor the hub', () => {
  test.each([
    'http://example.com/app',
    'http://10.0.0.7/app',
    'http://169.254.169.254/latest',
    'http://hub.lan/spaces/me/app',
    'http://hub.lan:8081/spaces/me/app',
    'http://localhost.example.com/app',
    'http://127.0.0.1.example.com/app',
    'http://app.localhost/app',
    'http://0.0.0.0/app',
  ])('%s', (address) => expect(addressProblem(address, hub)).toContain('https'));
});

describe('ambiguous for different programs', () => {
  test.each([
    'HTTPS:\\\\example.com\\app',
    'https:\\/example.com',
    'http://localhost\\@example.com/app',
    'https://exa\tmple.com/app',
    'https://example.com/a\nb',
    ' https://example.com',
    'https://example.com/a b',
    'https://example.com/\u202eppa',
    'https://exam\u00adple.com/app',
    'https://me:secret@example.com/app',
    'https://me@example.com/app',
    'https://@example.com/app',
    'http://localhost@example.com/app',
    'https://example.com@127.0.0.1/app',
    'http://2130706433/app',
    'http://0x7f000001/app',
    'http://0x7f.1/app',
    'http://0177.0.0.1/app',
    'http://127.1/app',
    'http://[::ffff:127.0.0.1]/app',
    'http://[0:0:0:0:0:0:0:1]/app',
    'http://[::1%25lo]/app',
    'http://ⓛocalhost/app',
    'http://127。0。0。1/app',
    'https://example.com./app',
    'http://localhost./app',
    'https://ex%61mple.com/app',
    'https:example.com/app',
    'https:/example.com/app',
    'https:///example.com/app',
    'https://',
    'https://:443/',
    'https://example.com:/app',
    'https://example.com:99999/app',
    'https://example.com:0/app',
    'https://example.com:8o/app',
    'https://exa!mple.com/app',
    'https://example..com/app',
    `https://${'a.'.repeat(127)}com/app`,
    '//example.com/app',
    'example.com/app',
    '--upload-pack=x',
    'ext::sh -c x',
    'ftp://example.com/app',
    'file:///etc/passwd',
    'ssh://git@example.com/app',
    'git@example.com:me/app',
    'javascript:alert(1)',
    '',
  ])('%j', (address) => expect(addressProblem(address, hub)).toMatch(/^(The|This)/));
});

test('an overlong address is refused unread', () => {
  expect(addressProblem(`https://example.com/${'x'.repeat(5000)}`, hub)).toBe('The address is too long.');
});

test.each([
  ['https://git.example/my%20team/dance', 'https://git.example/my team/dance'],
  ['https://x/%C3%B6', 'https://x/ö'],
  ['https://xn--bcher-kva.example:8443/app', 'https://bücher.example:8443/app'],
  ['http://[::1]:3000/app', 'http://[::1]:3000/app'],
  ['https://x/a%2Fb%0A%E2%80%AE', 'https://x/a%2Fb\\n\\u202e'],
  ['https://x/50%', 'https://x/50%'],
])('%s is written as %s', (address, written) => expect(writtenAddress(address)).toBe(written));

test('an accepted address is parsed the same by the strictest parser', () => {
  const parts = [
    'https:',
    'http:',
    'HTTP:',
    '//',
    '/',
    '\\',
    '@',
    '127.0.0.1',
    'localhost',
    'a.example',
    '[::1]',
    ':80',
    '.',
    '\t',
    '%2f',
    '?',
    '#',
    '２',
  ];
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  let passed = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const scheme = parts[random(3)] + (random(8) === 0 ? '/' : '//');
    const address = scheme + Array.from({ length: 1 + random(4) }, () => parts[random(parts.length)]).join('');
    if (addressProblem(address, hub) !== null) continue;
    passed += 1;
    const [, scheme_ = '', host = ''] =
      /^(https?):\/\/([a-z0-9.-]+|\[::1\]|[^\s/?#@:\\]*２[^\s/?#@:\\]*)(?::\d+)?(?:[/?#].*)?$/i.exec(address) ?? [];
    const url = new URL(address);
    expect([address, url.protocol, url.username, url.password]).toEqual([address, `${scheme_.toLowerCase()}:`, '', '']);
    if (/^[ -~]*$/.test(host)) expect(url.hostname).toBe(host.toLowerCase());
    if (url.protocol === 'http:') expect(['localhost', '127.0.0.1', '[::1]']).toContain(url.hostname);
  }
  expect(passed).toBeGreaterThan(500);
});

describe('links from one address to another', () => {
  const loopbackHub = { hubOrigin: 'http://127.0.0.1:9000' };
  test.each([
    ['https://a.example/x', 'https://b.example/y', null],
    ['https://a.example/x', 'https://a.example/y', null],
    ['http://hub.lan:8080/x', 'http://hub.lan:8080/y', null],
    ['http://hub.lan:8080/x', 'https://cdn.example/y', null],
    ['http://localhost:3000/x', 'http://localhost:3000/y', null],
    ['https://a.example/x', 'http://127.0.0.1:8000/api', 'this machine'],
    ['https://a.example/x', 'https://127.0.0.1:8000/api', 'this machine'],
    ['https://a.example/x', 'https://0.0.0.0/api', 'this machine'],
    ['https://a.example/x', 'https://app.localhost/api', 'this machine'],
    ['http://hub.lan:8080/x', 'http://[::1]:8000/api', 'this machine'],
    ['http://localhost:3000/x', 'http://localhost:8000/api', 'this machine'],
    ['https://a.example/x', 'http://a.example/y', 'https'],
    ['https://a.example/x', 'http://hub.lan:8080/y', 'not'],
    ['https://a.example/x', 'file:///etc/passwd', 'https'],
    ['https://a.example/x', 'https://me:secret@b.example/', 'password'],
  ])('%s to %s', (from, to, problem) => {
    const found = onwardProblem(from, to, hub);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  test('a hub on this machine may link to its own host, and to nothing else here', () => {
    const lead = (from: string, to: string) => onwardProblem(from, to, loopbackHub);
    expect(lead('http://127.0.0.1:9000/x', 'http://127.0.0.1:9000/y')).toBeNull();
    expect(lead('http://127.0.0.1:9000/x', 'http://127.0.0.1:9001/large')).toBeNull();
    expect(lead('http://127.0.0.1:9000/x', 'http://localhost:9000/y')).toContain('this machine');
    expect(lead('http://127.0.0.1:9001/large', 'http://127.0.0.1:8000/api')).toContain('this machine');
    expect(lead('https://a.example/x', 'http://127.0.0.1:9000/y')).toContain('this machine');
  });
});

test.each([
  ['localhost', true],
  ['LOCALHOST.', true],
  ['a.localhost', true],
  ['127.255.0.1', true],
  ['0.0.0.0', true],
  ['[::]', true],
  ['[::1]', true],
  ['[::ffff:7f00:1]', true],
  ['[::ffff:0:0]', true],
  ['[::7f00:1]', true],
  ['[::ffff:a00:1]', false],
  ['128.0.0.1', false],
  ['localhost.example', false],
  ['notlocalhost', false],
  ['[2001:db8::1]', false],
])('%s is this machine: %s', (host, expected) => expect(isThisMachine(host)).toBe(expected));
