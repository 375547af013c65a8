import { BlockList, isIPv4 } from 'node:net';
import { type Caller, isOwnUser, mayDeploy } from '../../access/caller.ts';
import type { Endpoint, EndpointType } from '../../contract/endpoints/endpoint.ts';

/** A request for an endpoint, by who sends it and from where. */
export interface AccessQuestion {
  readonly type: EndpointType;
  readonly namespace: string;
  readonly name: string;
  /** The id of the endpoint's creator. */
  readonly createdById: string;
  readonly fromThisMachine: boolean;
  /** Whether the endpoint's list of addresses allows the caller's; true without a list. */
  readonly addressAllowed: boolean;
  /** null: no credentials, or invalid ones. */
  readonly caller: Caller | null;
}

export type Verdict = 'allowed' | 'unauthorized' | 'forbidden' | 'not-found';

/**
 * Decides who may use an endpoint. A private endpoint does not exist for other machines, nor for other tokens; on this
 * machine it asks for a token, like any other. The token of a run is valid on this machine, also for a private endpoint:
 * a user who may use it has assigned it to the app.
 */
export function accessVerdict(question: AccessQuestion): Verdict {
  const { type, namespace, name, createdById, fromThisMachine, addressAllowed } = question;
  const caller = question.caller?.kind === 'run' && !fromThisMachine ? null : question.caller;
  const isNamed = caller?.scopes.includes(`endpoint:${namespace}/${name}`) ?? false;
  if (type === 'private') {
    if (!fromThisMachine) return 'not-found';
    if (!caller) return 'unauthorized';
    const mayUse = isOwner(caller, createdById, namespace) || (caller.kind === 'run' && isNamed);
    return mayUse ? 'allowed' : 'not-found';
  }
  if (!fromThisMachine && !addressAllowed) return 'forbidden';
  if (type === 'public') return 'allowed';
  if (!caller) return 'unauthorized';
  return isNamed || mayDeployTo(caller, namespace) ? 'allowed' : 'forbidden';
}

function isOwner(caller: Caller, createdById: string, namespace: string): boolean {
  return isOwnUser(caller) || (caller.id === createdById && mayDeployTo(caller, namespace));
}

function mayDeployTo(caller: Caller, namespace: string): boolean {
  return mayDeploy(caller) && (caller.namespaces?.includes(namespace) ?? true);
}

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
