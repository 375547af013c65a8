/** Times of the steps of a stop, in milliseconds after the request. */
export interface StopTimeouts {
  /** SIGINT to the other processes of the group: children whose parent only waits for them would never end otherwise. */
  readonly interruptGroupMs: number;
  /** SIGKILL to the group. */
  readonly killMs: number;
}

/** A person or a program stops the app. */
export const gracefulStop: StopTimeouts = { interruptGroupMs: 2_000, killMs: 20_000 };
/** The app starts again with a change of its author, who waits. */
export const reloadStop: StopTimeouts = { interruptGroupMs: 1_000, killMs: 5_000 };
/** The daemon stops. */
export const shutdownStop: StopTimeouts = { interruptGroupMs: 500, killMs: 2_000 };
/** A person does not want to wait any longer. */
export const forcedStop: StopTimeouts = { interruptGroupMs: 0, killMs: 0 };
