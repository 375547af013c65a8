export interface CommandCaller {
  readonly runToken: string | null;
  /** Whether it is one of these processes of this machine. False where the system does not say. */
  readonly isOneOf: (pids: readonly number[]) => Promise<boolean>;
}
