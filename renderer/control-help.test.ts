import { expect, test } from 'vitest';

/** A control explains itself mostly; its help adds a sentence that is read at a glance. */
const mostWords = 12;

const texts = import.meta.glob<Readonly<Record<string, unknown>>>('./**/*-text.ts', { eager: true });

/** Texts under a control: an export named `…Help`, or a choice's `description`. Those with values, functions, are left out. */
function helpOf(name: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return /(Help|\.description)$/.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isHelp = name.endsWith('Help');
  return Object.entries(value).flatMap(([key, part]) => helpOf(isHelp ? name : `${name}.${key}`, part));
}

const help = Object.entries(texts).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) => helpOf(name, value).map((text) => ({ file, name, text }))),
);

test('the help of a control has at most 12 words', () => {
  expect(help.length).toBeGreaterThan(50);
  expect(help.filter(({ text }) => text.split(/\s+/).length > mostWords)).toStrictEqual([]);
});
