import * as z from 'zod';
import { MoveKind } from '../../contract/robot/moves.ts';
import { TargetAngle } from '../../contract/robot/robot.ts';
import { MAX_MOVE_S, MAX_MOVE_SAMPLES } from '../../contract/robot/sdk.ts';
import { MalformedMove } from '../motions/errors.ts';
import { MoveSamples } from '../motions/move-samples.ts';
import type { RecordedMove } from '../motions/recorded-move.ts';

/** The content of a move's file. */
export interface MoveFile {
  readonly description: string;
  readonly kind: MoveKind;
  readonly move: RecordedMove;
}

const Row = z.array(z.number()).length(4);

/** The format of recorded moves: a time and a target for each sample. Other keys pass. */
const Stored = z.object({
  description: z.string().max(500).default(''),
  kind: MoveKind.default('emotion'),
  time: z.array(z.number().min(0).max(MAX_MOVE_S)).min(1).max(MAX_MOVE_SAMPLES),
  set_target_data: z
    .array(
      z.object({
        head: z.array(Row).length(4).nullish(),
        /** [right, left] */
        antennas: z.array(TargetAngle).length(2).nullish(),
        body_yaw: TargetAngle.nullish(),
      }),
    )
    .max(MAX_MOVE_SAMPLES),
});

/** Reads the text of a move's file. @throws MalformedMove, TargetUnreachable with the reason */
export function parseMoveFile(text: string): MoveFile {
  const { description, kind, time, set_target_data: targets } = parsed(text);
  if (targets.length !== time.length) throw new MalformedMove('A move needs as many targets as times.');
  const samples = new MoveSamples();
  samples.append({
    timesS: time,
    heads: ofAll(targets, ({ head }) => head?.flat()),
    antennas: ofAll(targets, ({ antennas }) => antennas),
    bodyYaws: ofAll(targets, ({ body_yaw: bodyYaw }) => bodyYaw),
  });
  return { description, kind, move: samples.finished() };
}

function parsed(text: string): z.infer<typeof Stored> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new MalformedMove('It is not JSON.');
  }
  const { success, data, error } = Stored.safeParse(json);
  if (success) return data;
  const [issue] = error.issues;
  throw new MalformedMove(`${issue?.path.join('.') || 'It'}: ${issue?.message ?? 'is no move'}`);
}

/** The part of each target; null if no target has it. Fewer than there are targets are refused later, by their number. */
function ofAll<Target, Value>(
  targets: readonly Target[],
  partOf: (target: Target) => Value | null | undefined,
): Value[] | null {
  const values = targets.map(partOf).filter((value) => value !== null && value !== undefined);
  return values.length === 0 ? null : values;
}
