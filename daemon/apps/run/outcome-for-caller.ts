import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { CommandCaller } from '../../robot/command-caller.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Waits for the outcome of a stop or a replacement, unless the app that ends asked for it itself: an app that waited
 * for the reply would not end.
 * @param slot has the state of the slot, which such an app gets
 */
export async function outcomeForCaller(
  caller: CommandCaller | undefined,
  run: RunUnderWay,
  outcome: Promise<AppSlotState>,
  slot: { readonly state: AppSlotState },
): Promise<AppSlotState> {
  if (!caller) return outcome;
  const asked = run.has(caller).then((isOwn) => (isOwn ? slot.state : outcome));
  return Promise.race([outcome, asked]);
}
