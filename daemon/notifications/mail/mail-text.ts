import type { News } from '../../shared/news.ts';
import { type HeldBack, heldText } from '../news/news.ts';

export interface Mail {
  /** Names the mail: one that is sent twice is shown once. Absent: each sending has a name of its own. */
  readonly id?: string;
  readonly subject: string;
  readonly text: string;
}

/** The most news that a mail names which were not mailed. */
const MOST_TITLES = 50;

/** @param machine the name of this machine */
export function newsMail({ title, text, at }: News, held: HeldBack | null, machine: string): Omit<Mail, 'id'> {
  const lines = [
    `${title} ${text}`.trim(),
    '',
    `When: ${timeText(at)}`,
    `Machine: ${machine}`,
    ...heldLines(held, at),
    '',
    'Robot Desktop on this machine sends this mail because mail is switched on for this endpoint.',
    '',
  ];
  return { subject: `${title.replace(/\.$/, '')} (${machine})`, text: lines.join('\n') };
}

function heldLines(held: HeldBack | null, now: Date): string[] {
  if (held === null) return [];
  const { count, titles = [] } = held;
  const them = count === 1 ? 'it' : 'them';
  const more = titles.length > MOST_TITLES ? [`- and ${titles.length - MOST_TITLES} others`] : [];
  return [
    '',
    `${heldText(held, now)}. No mail was sent about ${them}${titles.length > 0 ? ':' : '.'}`,
    ...titles.slice(0, MOST_TITLES).map((title) => `- ${title}`),
    ...more,
  ];
}

export function testMail(machine: string, at: Date): Mail {
  const text = [
    'This is a test. Robot Desktop can send mail about endpoints to this address.',
    '',
    `When: ${timeText(at)}`,
    `Machine: ${machine}`,
    '',
  ];
  return { subject: `Test mail of Robot Desktop (${machine})`, text: text.join('\n') };
}

function timeText(at: Date): string {
  return at.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
}
