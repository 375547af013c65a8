import type { HeldBack } from './news.ts';

/** `3 more since 14:02`, with the day if that is another one. */
export function heldText({ count, since }: HeldBack, now: Date): string {
  const isToday = since.toDateString() === now.toDateString();
  const time = since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const day = since.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${count} more since ${isToday ? time : `${day}, ${time}`}`;
}
