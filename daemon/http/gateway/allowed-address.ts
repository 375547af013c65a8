import { BlockList, isIPv4 } from 'node:net';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an endpoint's network allows an address. Without `cidrBlock` its list is not used. */
export function isAllowedAddress(network: Endpoint['network'], address: string): boolean {
  if (network?.cidrBlock !== true) return true;
  const list = listOf(network.cidrList ?? []);
  const plain = address.split('%', 1)[0] as string; // without the zone of a link-local address
  const ipv4 = plain.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(ipv4)) return list.check(ipv4) || list.check(`::ffff:${ipv4}`, 'ipv6');
  return plain !== '' && list.check(plain, 'ipv6');
}

function listOf(cidrList: readonly string[]): BlockList {
  const known = lists.get(cidrList);
  if (known) return known;
  const list = new BlockList();
  for (const cidr of cidrList) {
    const [address = '', bits] = cidr.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  lists.set(cidrList, list);
  return list;
}
