import * as z from 'zod';
import type { Issue } from '../../contract/common/common.ts';
import { displayText } from '../../shared/display-text.ts';

/** What a service said of a refusal. */
export interface RemoteWords {
  /** A sentence of ours with the service's words in it; null: it said nothing that can be read. */
  readonly sentence: string | null;
  readonly issues: readonly Issue[];
}

const MAX_ISSUES = 20;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 500;

const Told = z.object({
  error: z.unknown(),
  message: z.unknown(),
  issues: z.unknown(),
  details: z.unknown(),
});
const ToldIssue = z.object({
  path: z.union([z.array(z.union([z.string(), z.number()])), z.string()]).default([]),
  message: z.string(),
});
/** The two shapes that a validator's own summaries have. */
const Flat = z.object({ formErrors: z.array(z.string()), fieldErrors: z.record(z.string(), z.array(z.string())) });
const Tree = z.object({
  errors: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.array(z.unknown()).default([]),
});

/**
 * Reads the body of a refusal, whichever shape it has: `error` or `message`, with `issues` or `details` or neither.
 * @param hide takes out of a text what must not be shown, as the service may repeat a token
 */
export function remoteWords(body: unknown, hide: (text: string) => string): RemoteWords {
  const shown = (text: string) => displayText(hide(text), MAX_CHARACTERS);
  const told = Told.partial().safeParse(body).data ?? {};
  const text = [told.error, told.message].find((value) => typeof value === 'string' && shown(value) !== '');
  const issues = [...issuesOf(told.issues, []), ...issuesOf(told.details, [])].slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.slice(0, MAX_DEPTH).map((key) => (typeof key === 'string' ? shown(key) : key)),
    message: shown(issue.message),
  }));
  const quoted = text === undefined ? null : `"${shown(text as string)}"`;
  const listed = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const said = [quoted, listed.length === 0 ? null : `(${displayText(listed.join('; '), 2 * MAX_CHARACTERS)})`];
  const words = said.filter((part) => part !== null).join(' ');
  return { sentence: words === '' ? null : `The catalog service says: ${words}.`, issues };
}

function issuesOf(told: unknown, path: Issue['path']): Issue[] {
  if (typeof told === 'string') return [{ path, message: told }];
  if (Array.isArray(told)) return told.slice(0, MAX_ISSUES).flatMap((entry) => issueOf(entry));
  const flat = Flat.safeParse(told);
  if (flat.success) {
    const { formErrors, fieldErrors } = flat.data;
    const fields = Object.entries(fieldErrors).flatMap(([key, messages]) => all([...path, key], messages));
    return [...all(path, formErrors), ...fields];
  }
  const tree = Tree.safeParse(told);
  if (!tree.success || path.length >= MAX_DEPTH) return [];
  const { errors, properties, items } = tree.data;
  const below = [...Object.entries(properties), ...items.entries()].slice(0, MAX_ISSUES);
  return [...all(path, errors), ...below.flatMap(([key, value]) => issuesOf(value, [...path, key]))];
}

function issueOf(entry: unknown): Issue[] {
  if (typeof entry === 'string') return [{ path: [], message: entry }];
  const issue = ToldIssue.safeParse(entry).data;
  if (!issue) return [];
  const { path, message } = issue;
  return [{ path: typeof path === 'string' ? [path] : path, message }];
}

function all(path: Issue['path'], messages: readonly string[]): Issue[] {
  return messages.map((message) => ({ path, message }));
}
