import { type Host, hostCapacity } from '../../catalog/compute/this-machine.ts';

/** A small server starts with it on a machine whose memory is nearly used up. */
const LEAST_BYTES = 512 * 1024 ** 2;

/**
 * The most memory that a container may take: as much as a model may, so that the robot and other programs keep a rest.
 * A container that wants more ends, instead of the robot's own programs.
 */
export function containerMemoryBytes(host: Host): number {
  return Math.round(Math.max(LEAST_BYTES, hostCapacity(host)));
}
