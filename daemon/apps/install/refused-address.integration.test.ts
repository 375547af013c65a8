/** A mistyped address is refused at once and leaves nothing: the real daemon, and the events that its pages get. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectDir, startTestDaemon } from '../../testing/daemon/test-daemon.ts';
import { watchDaemon } from '../../testing/daemon/watch-daemon.ts';

const mistyped = [
  '',
  ' ',
  'ö',
  'passwd',
  '../../etc/passwd',
  'file:///etc/passwd',
  '/nowhere/at/all',
  join(projectDir, 'package.json'),
  'https://x/%C3%B6',
  'https://git.example/my dance',
  `https://git.example/${'a'.repeat(5_000)}`,
  '/home/ann\u0007/dance',
  'javascript:alert(1)',
  'https://ann:secret@git.example/dance',
  'https://git.example:99999/dance',
  'ann/da--nce',
];

test('a refused address is answered with a sentence, and leaves no job, no event and no notification', async () => {
  await using daemon = await startTestDaemon();
  const events = watchDaemon(daemon.url);
  onTestFinished(() => void events.return(undefined));
  expect((await events.next()).value).toMatchObject({ type: 'snapshot', snapshot: { jobs: [] } });

  for (const url of mistyped) {
    const { status, body } = await daemon.post('/api/apps/install', { url });
    expect({ url, status, body }).toEqual({
      url,
      status: 400,
      body: {
        error: expect.any(String),
        issues: [expect.objectContaining({ path: ['url'], message: expect.stringMatching(/^["/A-Z].*\.$/) })],
      },
    });
    expect(JSON.stringify(body)).not.toContain('secret');
  }
  expect((await daemon.get('/api/jobs')).body).toEqual([]);
  expect((await daemon.get('/api/notifications')).body).toEqual({ notices: [] });
  expect(await daemon.traces()).toEqual([]);

  await daemon.put('/api/apps/startup-app', { startupApp: null }); // its event comes after all that were sent before
  const seen: string[] = [];
  for await (const { type } of events) {
    if (type === 'startup-app.changed') break;
    seen.push(type);
  }
  const about = ['job.changed', 'installed-apps.changed', 'notifications.changed'];
  expect(seen.filter((type) => about.includes(type))).toEqual([]);
});
