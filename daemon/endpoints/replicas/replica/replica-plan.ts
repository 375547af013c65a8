import type { EndpointProgress } from '../../../contract/endpoints/endpoint-report.ts';
import type { EndpointParts } from '../../description/endpoint-parts.ts';
import type { Slots } from '../../preparation/slots.ts';
import type { EndpointRecord } from '../../records/endpoint-record.ts';
import type { EndpointRuntime, PreparedModel } from '../../runtime/endpoint-runtime.ts';

/** @param replacedSlots the slots of a replica that is still in memory and goes once the next one is there; 0: none */
export type PlanReplicas = (record: EndpointRecord, replacedSlots: () => number) => ReplicaSetPlan;

/** All that the replicas of a set need to start. */
export interface ReplicaSetPlan {
  /** Of the endpoint, for the log. */
  readonly id: string;
  readonly parts: EndpointParts;
  /** Chooses the program. @throws EndpointFailed */
  readonly runtime: () => Promise<EndpointRuntime>;
  /** Puts the model's files on the disk and checks them. */
  readonly prepare: (signal: AbortSignal, onProgress: (progress: EndpointProgress) => void) => Promise<PreparedModel>;
  /** The requests that each replica answers at the same time; null: its program decides. */
  readonly slots: (model: PreparedModel) => Promise<Slots | null>;
  /** The variables of the processes, decrypted. */
  readonly variables: () => Promise<Readonly<Record<string, string>>>;
  readonly sockets: { pathFor(id: string): Promise<string> };
  readonly threads: number;
  /** The memory of this machine that its replicas could take now, in bytes; null: unknown, or it is that of a graphics card. */
  readonly availableBytes: () => number | null;
}
