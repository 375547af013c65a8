import { expect, test } from 'vitest';
import { limitSession } from './session-limits.ts';
import { FakeDownload, newFakeSession } from './testing/fake-session.ts';

const URL = 'http://localhost:8042';

function sessionOf(owner: string | null) {
  const session = newFakeSession();
  limitSession(session, { origin: () => URL, permissions: [], owner });
  return session;
}

test('a dialog asks where to save, and says whose file it is', () => {
  const download = new FakeDownload(`blob:${URL}/1`, { file: 'dance-output.txt' });
  expect(sessionOf(null).saves(download)).toBe('Save dance-output.txt');
  expect(download.dialog.message).toBe('Save dance-output.txt');
  expect(sessionOf('Look around').saves(new FakeDownload(`${URL}/photo`, { file: 'photo.jpg' }))).toBe(
    'Save photo.jpg from the page of Look around',
  );
});

test('names cannot turn the question round', () => {
  const download = new FakeDownload(`${URL}/a`, { file: 'report\u202efdp.exe' });
  expect(sessionOf('Robot Desktop\n\u2066').saves(download)).toBe('Save reportfdp.exe from the page of Robot Desktop');
  const long = new FakeDownload(`${URL}/a`, { file: `${'a'.repeat(300)}.txt` });
  expect(sessionOf(null).saves(long)).toBe(`Save ${'a'.repeat(59)}…`);
});

test.each([
  ['a file that the page made', `blob:${URL}/1`, true],
  ['text in the address', 'data:text/csv,a', true],
  ['a file of its server', `${URL}/file`, true],
  ['a file of another server', 'https://evil.test/file', false],
  ['a file of another port', 'http://localhost:8043/file', false],
  ['a file that a page of another site made', 'blob:https://evil.test/1', false],
  ['a file of this machine', 'file:///etc/passwd', false],
  ['a redirect to another server', [`${URL}/file`, 'https://evil.test/file'], false],
  ['a redirect from another server', ['https://evil.test/file', `${URL}/file`], false],
])('%s is offered: %s', (_what, chain, isOffered) => {
  expect(sessionOf('Look around').saves(new FakeDownload(chain)) !== null).toBe(isOffered);
});

test("an app's page saves only after a click; the dashboard also later, when it has the text", () => {
  const unasked = () => new FakeDownload(`blob:${URL}/1`, { isClicked: false });
  expect(sessionOf('Look around').saves(unasked())).toBeNull();
  expect(sessionOf(null).saves(unasked())).toBe('Save a.txt');
});

test('there is one dialog at a time: the next file is offered once the user has chosen or cancelled', () => {
  const session = sessionOf('Look around');
  const [first, second, third] = [1, 2, 3].map((id) => new FakeDownload(`blob:${URL}/${id}`)) as [
    FakeDownload,
    FakeDownload,
    FakeDownload,
  ];
  expect(session.saves(first)).not.toBeNull();
  expect(session.saves(second)).toBeNull();
  first.savePath = '/home/ann/a.txt'; // and still loads
  expect(session.saves(second)).not.toBeNull();
  first.emit('done', {}, 'completed');
  expect(session.saves(third)).toBeNull();
  second.emit('done', {}, 'cancelled');
  expect(session.saves(third)).not.toBeNull();
});
