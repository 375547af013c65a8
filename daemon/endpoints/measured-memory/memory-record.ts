import * as z from 'zod';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import { MemorySettings } from './memory-settings.ts';

/** The memory of one replica now. */
export interface ReplicaMemory {
  /** Resident. */
  readonly bytes: number;
  /** Of a container, files that another program read before are not counted. */
  readonly isContainer: boolean;
  /** Whether files that its programs have read may be counted: then it proves nothing. */
  readonly countsFiles: boolean;
  readonly state: ReplicaReport['state'];
  readonly slots: ReplicaReport['slots'];
}

/** The memory of the replicas of an endpoint now; of those that could be measured. */
export interface EndpointUse {
  readonly endpoint: EndpointRef;
  readonly replicas: readonly ReplicaMemory[];
}

/** The most memory that one replica with some settings has used. */
export const MemoryRecord = z.object({
  settings: MemorySettings,
  peakBytes: z.int().min(0),
  /** See `MemoryMeasurement`. */
  isProven: z.boolean(),
});
export type MemoryRecord = z.infer<typeof MemoryRecord>;

/** The file of all records, the newest last. */
export const StoredMemory = z.object({ records: z.array(MemoryRecord) });
