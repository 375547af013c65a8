import * as z from 'zod';
import type { Issue } from '../../contract/common/common.ts';
import { displayText } from '../../shared/display-text.ts';

/** A service's explanation of a refusal. */
interface RemoteText {
  /** A sentence that quotes the service; null: it sent no readable text. */
  readonly sentence: string | null;
  readonly issues: readonly Issue[];
}

const MAX_ISSUES = 20;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 500;

const RefusalBody = z.object({
  error: z.unknown(),
  message: z.unknown(),
  issues: z.unknown(),
  details: z.unknown(),
});
const RemoteIssue = z.object({
  path: z.union([z.array(z.union([z.string(), z.number()])), z.string()]).default([]),
  message: z.string(),
});
/** The two shapes of a validator's summary. */
const Flat = z.object({ formErrors: z.array(z.string()), fieldErrors: z.record(z.string(), z.array(z.string())) });
const Tree = z.object({
  errors: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.array(z.unknown()).default([]),
});

/**
 * Reads the body of a refusal: `error` or `message`, with or without `issues` or `details`.
 * @param hide removes secrets from a text: the service may repeat a token
 */
export function remoteText(body: unknown, hide: (text: string) => string): RemoteText {
  const shown = (text: string) => displayText(hide(text), MAX_CHARACTERS);
  const fields = RefusalBody.partial().safeParse(body).data ?? {};
  const text = [fields.error, fields.message].find((value) => typeof value === 'string' && shown(value) !== '');
  const issues = [...issuesOf(fields.issues, []), ...issuesOf(fields.details, [])]
    .slice(0, MAX_ISSUES)
    .map((issue) => ({
      path: issue.path.slice(0, MAX_DEPTH).map((key) => (typeof key === 'string' ? shown(key) : key)),
      message: shown(issue.message),
    }));
  const quoted = text === undefined ? null : `"${shown(text as string)}"`;
  const listed = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const parts = [quoted, listed.length === 0 ? null : `(${displayText(listed.join('; '), 2 * MAX_CHARACTERS)})`];
  const answer = parts.filter((part) => part !== null).join(' ');
  return { sentence: answer === '' ? null : `The catalog service says: ${answer}.`, issues };
}

function issuesOf(raw: unknown, path: Issue['path']): Issue[] {
  if (typeof raw === 'string') return [{ path, message: raw }];
  if (Array.isArray(raw)) return raw.slice(0, MAX_ISSUES).flatMap((entry) => issueOf(entry));
  const flat = Flat.safeParse(raw);
  if (flat.success) {
    const { formErrors, fieldErrors } = flat.data;
    const fields = Object.entries(fieldErrors).flatMap(([key, messages]) => all([...path, key], messages));
    return [...all(path, formErrors), ...fields];
  }
  const tree = Tree.safeParse(raw);
  if (!tree.success || path.length >= MAX_DEPTH) return [];
  const { errors, properties, items } = tree.data;
  const below = [...Object.entries(properties), ...items.entries()].slice(0, MAX_ISSUES);
  return [...all(path, errors), ...below.flatMap(([key, value]) => issuesOf(value, [...path, key]))];
}

function issueOf(entry: unknown): Issue[] {
  if (typeof entry === 'string') return [{ path: [], message: entry }];
  const issue = RemoteIssue.safeParse(entry).data;
  if (!issue) return [];
  const { path, message } = issue;
  return [{ path: typeof path === 'string' ? [path] : path, message }];
}

function all(path: Issue['path'], messages: readonly string[]): Issue[] {
  return messages.map((message) => ({ path, message }));
}
