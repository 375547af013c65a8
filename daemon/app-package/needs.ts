import { type AppNeed, NeedName } from '../contract/apps/needs.ts';
import { ListTask } from '../contract/catalog/catalog.ts';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, problem } from './package-finding.ts';

/** More than an app uses; each need is a row of its page. */
const MAX_NEEDS = 8;

const EXAMPLE = 'chat = { task = "text-generation" }';
const members = new Set(['task', 'optional']);

/**
 * Reads the needs in `[tool.robot]`. All that is wrong is a problem, not a warning: the app would never get that model.
 * @param robot the parsed table; empty if the package has none
 */
export function readNeeds(robot: Readonly<Record<string, unknown>>): {
  readonly needs: AppNeed[];
  readonly problems: PackageFinding[];
} {
  const { needs: table } = robot;
  const misspelled = Object.keys(robot).find((key) => key !== 'needs' && /^needs?\b|^needed/i.test(key));
  if (misspelled !== undefined) {
    return refused(
      `[tool.robot] has "${displayText(misspelled, 60)}", which is unknown. Did you mean "needs"?`,
      misspelled,
    );
  }
  if (table === undefined) return { needs: [], problems: [] };
  if (!isTable(table)) return refused(`[tool.robot.needs] is not a table. Write one line per model, like ${EXAMPLE}.`);
  const entries = Object.entries(table);
  if (entries.length > MAX_NEEDS) {
    return refused(`[tool.robot.needs] has ${entries.length} entries; an app may use at most ${MAX_NEEDS} models.`);
  }
  const read = entries.map(([name, value]) => ({ name, need: readNeed(name, value) }));
  return {
    needs: read.map(({ need }) => need).filter((need) => typeof need !== 'string'),
    problems: read.flatMap(({ name, need }) => (typeof need === 'string' ? [badNeed(need, 'needs', name)] : [])),
  };
}

/** @returns the message of a problem if the entry is invalid */
function readNeed(name: string, value: unknown): AppNeed | string {
  const shown = `[tool.robot.needs]: "${displayText(name, 60)}"`;
  if (!NeedName.safeParse(name).success) {
    return `${shown} is not a valid name. Use at most 32 lower-case letters, digits and "_", beginning with a letter.`;
  }
  if (!isTable(value)) return `${shown} is not a table with a task. Write it like ${EXAMPLE}.`;
  const unknown = Object.keys(value).find((key) => !members.has(key));
  if (unknown !== undefined) {
    return `${shown} has "${displayText(unknown, 60)}", which is unknown. It may have "task" and "optional".`;
  }
  const { task, optional = false } = value;
  if (task === undefined) return `${shown} names no task. Write it like ${EXAMPLE}.`;
  const known = ListTask.safeParse(task);
  if (!known.success) return `${shown} wants the task ${quoted(task)}, which does not exist. ${suggestion(task)}`;
  if (typeof optional !== 'boolean') return `${shown} has optional = ${quoted(optional)}. Write true or false.`;
  return { name, task: known.data, optional };
}

/** Names the tasks that are most like what was written, or some usual ones. */
function suggestion(task: unknown): string {
  const text = typeof task === 'string' ? task.slice(0, 100).toLowerCase() : '';
  const words = text.match(/[a-z]{4,}/g) ?? [];
  const scored = ListTask.options.map((each) => {
    const score = 100 * words.filter((word) => each.includes(word)).length;
    return { each, score: score > 0 ? score + commonStart(each, text) : 0 };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const alike = scored.filter(({ score }) => score === best).map(({ each }) => `"${each}"`);
  if (best > 0) return `Did you mean ${alike.slice(0, 2).join(' or ')}?`;
  return 'Some tasks are "text-generation", "image-text-to-text", "feature-extraction" and "automatic-speech-recognition".';
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function quoted(value: unknown): string {
  return displayText(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value)), 60);
}

function badNeed(message: string, ...key: readonly string[]): PackageFinding {
  return problem('bad-need', message, { key: ['tool', 'robot', ...key] });
}

function refused(message: string, key = 'needs') {
  return { needs: [], problems: [badNeed(message, key)] };
}
