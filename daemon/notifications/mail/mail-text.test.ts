import { expect, test } from 'vitest';
import { someNews } from '../../testing/some-news.ts';
import { heldText } from '../news/news.ts';
import { newsMail, testMail } from './mail-text.ts';

const at = new Date(2026, 10, 21, 14, 30);

test('a mail says what happened, why, when and where', () => {
  const { subject, text } = newsMail(someNews({ at }), null, 'desk-robot');
  expect(subject).toBe('lab/chat failed (desk-robot)');
  expect(text.split('\n').slice(0, 4)).toEqual([
    'lab/chat failed. The model file is damaged. Download it again.',
    '',
    expect.stringMatching(/^When: Saturday,? 21 November 2026 at 14:30:00 /),
    'Machine: desk-robot',
  ]);
  expect(text).not.toContain('more since');
});

test('it counts the news that were not mailed', () => {
  const since = new Date(2026, 10, 21, 14, 2);
  expect(newsMail(someNews({ at }), { count: 3, since }, 'desk').text).toContain(
    '3 more since 14:02. No mail was sent about them.',
  );
  const titles = Array.from({ length: 60 }, (_, index) => `lab/chat-${index} failed.`);
  expect(newsMail(someNews({ at }), { count: 60, since, titles }, 'desk').text).toMatch(
    /60 more since 14:02\. No mail was sent about them:\n- lab\/chat-0 failed\.\n[\s\S]+- lab\/chat-49 failed\.\n- and 10 others\n/,
  );
  expect(heldText({ count: 1, since: new Date(2026, 10, 20, 9, 5) }, at)).toBe('1 more since 20 Nov, 09:05');
});

test('the test mail names the machine', () => {
  expect(testMail('desk', at)).toMatchObject({ subject: 'Test mail of Robot Desktop (desk)' });
});
