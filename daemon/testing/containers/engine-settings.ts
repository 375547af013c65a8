import { createHash, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { replaceFile } from '../../shared/files/atomic-file.ts';

/** How to reach an engine of the tests: Podman's command with its options, and its whole environment. */
export interface PodmanCommand {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The file of its network, outside of its folder. */
  readonly networkFile: string;
}

/** The registries of an engine of the tests, besides which none is asked. */
export interface RegistrySettings {
  /** Host and port of those that speak HTTP without TLS. */
  readonly registries?: readonly string[];
  /** One of them that is asked for the images of these public registries, by their names. */
  readonly insteadOf?: Readonly<Record<string, string>>;
}

/** Where the programs of an engine are: Debian puts some of them where a user's PATH may not lead. */
export const programFolders = (): string[] => [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/**
 * The folder of the networks of all engines of the tests. Podman locks it while it changes the packet filter, which all
 * engines of a machine share.
 */
const networksFolder = `/tmp/robot-test-networks-${process.getuid?.() ?? 0}`;

/**
 * Writes the settings of an engine that shares nothing that changes with another on this machine: neither containers and
 * images of its own, nor network and settings.
 * @param imageStore a folder of images that it has from the start, and never changes
 */
export async function writeSettings(
  folder: string,
  imageStore: string,
  { registries = [], insteadOf = {} }: RegistrySettings,
): Promise<PodmanCommand> {
  const inFolder = (name: string) => join(folder, name);
  const write = (name: string, lines: readonly string[]) => writeFile(inFolder(name), `${lines.join('\n')}\n`);
  const network = freeNetwork();
  const networkFile = join(networksFolder, `${network.name}.json`);
  await mkdir(networksFolder, { recursive: true });
  await replaceFile(networkFile, JSON.stringify(network)); // other engines read it too
  await write('containers.conf', [
    '[containers]',
    'log_driver = "k8s-file"',
    '[engine]',
    'cgroup_manager = "cgroupfs"', // there may be no systemd
    'events_logger = "file"',
    'runtime = "without-limits"',
    '[engine.runtimes]',
    `without-limits = ["${join(import.meta.dirname, 'runc-without-limits')}"]`,
    '[network]',
    'network_backend = "netavark"',
    `network_config_dir = "${networksFolder}"`,
    `default_network = "${network.name}"`,
  ]);
  await write('storage.conf', [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${inFolder('root')}"`,
    `runroot = "${inFolder('run')}"`,
    '[storage.options]',
    `additionalimagestores = ["${imageStore}"]`,
  ]);
  const insecure = registries.flatMap((location) => ['[[registry]]', `location = "${location}"`, 'insecure = true']);
  const replaced = Object.entries(insteadOf).flatMap(([prefix, location]) => [
    '[[registry]]',
    `prefix = "${prefix}"`,
    `location = "${location}"`,
    'insecure = true',
  ]);
  await write('registries.conf', ['unqualified-search-registries = []', ...insecure, ...replaced]);
  return {
    command: ['podman', '--tmpdir', inFolder('tmp')],
    networkFile,
    env: {
      PATH: programFolders().join(delimiter),
      HOME: folder, // where accounts of registries would be
      CONTAINERS_CONF: inFolder('containers.conf'),
      CONTAINERS_STORAGE_CONF: inFolder('storage.conf'),
      CONTAINERS_REGISTRIES_CONF: inFolder('registries.conf'),
    },
  };
}

/** An engine's own bridge, in a network that this machine is not in. Podman names chains of the packet filter by its name. */
function freeNetwork() {
  const used = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  let prefix: string;
  do prefix = `10.${randomInt(100, 250)}.${randomInt(256)}`;
  while (used.some((address) => address.startsWith(`${prefix}.`)));
  const name = `test${prefix.slice(3).replace('.', '-')}`; // at most 15 characters, for the interface
  return {
    name,
    id: createHash('sha256').update(prefix).digest('hex'),
    driver: 'bridge',
    network_interface: name,
    created: '2026-01-01T00:00:00Z',
    subnets: [{ subnet: `${prefix}.0/24`, gateway: `${prefix}.1` }],
    ...{ ipv6_enabled: false, internal: false, dns_enabled: false, ipam_options: { driver: 'host-local' } },
  };
}
