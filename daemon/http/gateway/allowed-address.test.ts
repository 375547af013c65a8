import { expect, test } from 'vitest';
import { isAllowedAddress } from './endpoint-access.ts';

const network = (...cidrList: string[]) => ({ cidrBlock: true, cidrList });

test.each<[readonly string[], string, boolean]>([
  [['10.0.0.0/8'], '10.255.0.1', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:11.1.2.3', false],
  [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
  [['192.0.2.7/32', 'fd00::/8'], '192.0.2.7', true],
  [['192.0.2.7/32', 'fd00::/8'], '192.0.2.8', false],
  [['192.0.2.7/32', 'fd00::/8'], 'fd12::1', true],
  [['192.0.2.7/32', 'fd00::/8'], 'fe80::1%eth0', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['0.0.0.0/0'], '203.0.113.1', true],
  [['0.0.0.0/0'], 'fd00::1', false],
  [['::/0'], 'fd00::1', true],
  [['10.0.0.0/8'], '', false],
  [[], '10.0.0.1', false],
])('the list %j: %s is %s', (list, address, allowed) => {
  expect(isAllowedAddress(network(...list), address)).toBe(allowed);
});

test('a list that is not enabled allows every address', () => {
  for (const none of [
    null,
    { cidrBlock: null, cidrList: ['10.0.0.0/8'] },
    { cidrBlock: false, cidrList: ['10.0.0.0/8'] },
  ]) {
    expect(isAllowedAddress(none, '203.0.113.1')).toBe(true);
  }
});
