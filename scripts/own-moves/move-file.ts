import { durationOf, type OwnMove, sampleMove } from './keyframes.ts';
import { type MoveSample, sampleBetween } from './move-sample.ts';

const STEP_S = 0.01;
/** The longest time between two samples. */
const MAX_STEPS = 25;
/** A sample is left out if the way between its neighbours passes it this closely. */
const TOLERANCE = { place: 0.0003, rotation: 0.003, antennas: 0.008, bodyYaw: 0.004 };
const DIGITS = 4;

/** The text of the file of a move: no more samples than its shape needs, a line each. */
export function moveFileText(move: OwnMove): string {
  const { times, samples } = thinned(move);
  const targets = samples.map(({ head, antennas, bodyYaw }) => {
    const rows = [0, 4, 8, 12].map((first) => head.slice(first, first + 4).map(rounded));
    return JSON.stringify({ head: rows, antennas: antennas.map(rounded), body_yaw: rounded(bodyYaw) });
  });
  const { description, kind } = move;
  const about = Object.entries({ description, kind, time: times }).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  );
  return ['{', ...about, '"set_target_data": [', targets.join(',\n'), ']', '}', ''].join('\n');
}

/** The samples from which the others follow, with their times in seconds. */
function thinned(move: OwnMove): { times: number[]; samples: MoveSample[] } {
  const at = sampleMove(move);
  const last = Math.round(durationOf(move.keyframes) / STEP_S);
  const all = Array.from({ length: last + 1 }, (_, step) => at(step * STEP_S));
  const kept = [0];
  for (let from = 0; from < last; from = kept.at(-1) ?? last) {
    let to = from + 1;
    while (to < last && to - from < MAX_STEPS && followsFrom(all, from, to + 1)) to++;
    kept.push(to);
  }
  return {
    times: kept.map((step) => Number((step * STEP_S).toFixed(2))),
    samples: kept.flatMap((step) => all[step] ?? []),
  };
}

function followsFrom(all: readonly MoveSample[], from: number, to: number): boolean {
  const [start, end] = [all[from], all[to]];
  if (!start || !end) return false;
  return all.slice(from + 1, to).every((sample, index) => {
    const between = sampleBetween(start, end, (index + 1) / (to - from));
    return isClose(sample, between);
  });
}

function isClose(a: MoveSample, b: MoveSample): boolean {
  const within = (tolerance: number) => (value: number, other: number | undefined) =>
    Math.abs(value - (other ?? 0)) <= tolerance;
  return (
    a.head.every((value, index) =>
      within(index % 4 === 3 ? TOLERANCE.place : TOLERANCE.rotation)(value, b.head[index]),
    ) &&
    a.antennas.every((value, side) => within(TOLERANCE.antennas)(value, b.antennas[side])) &&
    within(TOLERANCE.bodyYaw)(a.bodyYaw, b.bodyYaw)
  );
}

/** Without a negative zero. */
const rounded = (value: number) => Number(value.toFixed(DIGITS)) + 0;
