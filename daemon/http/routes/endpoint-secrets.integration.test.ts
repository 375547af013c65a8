/** The secrecy of endpoints' secrets: the real daemon over real HTTP and on a real disk. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { Answer } from '../../testing/daemon/checked-daemon.ts';
import { endpointApi, issuePaths, LAB } from '../../testing/daemon/endpoint-api.ts';

const logged: string[] = [];
const log = vi.spyOn(process.stderr, 'write').mockImplementation((line) => logged.push(String(line)) > 0);
afterAll(() => log.mockRestore());
const api = endpointApi({ logLevel: 'debug' });

test('no reply, log line or file contains a secret', async () => {
  const [variable, later, password, refused, lost] = ['one', 'two', 'three', 'four', 'five'].map(
    (word) => `hush-${word}-hush`,
  );
  const model = (secrets: object, credentials: object) => ({
    model: { ...api.minimal.model, secrets, image: { custom: { url: 'x', credentials } } },
  });
  const me = { username: 'me' };
  const answers: Answer[] = [];
  const recorded = (answer: Answer) => {
    answers.push(answer);
    return answer;
  };
  const made = recorded(await api.create(model({ TOKEN: variable }, { ...me, password })));
  expect(made.body.model).toMatchObject({
    secrets: { TOKEN: null },
    image: { custom: { credentials: { username: 'me', password: null } } },
  });
  const changed = recorded(await api.change({ model: { secrets: { TOKEN: null, OTHER: later } } }));
  expect(changed.body.model.secrets).toEqual({ TOKEN: null, OTHER: null });
  const bad = recorded(await api.change(model({ 'A-B': refused, C: [refused] }, { password: refused })));
  expect(issuePaths(bad)).toEqual([
    ...['model.image.custom.credentials.username', 'model.secrets.A-B', 'model.secrets.C'],
  ]);
  for (const path of [`${LAB}/chat`, LAB, '/api/endpoints']) recorded(await api.ask('GET', path));
  recorded(await api.ask('POST', `${LAB}/chat/pause`));

  const folder = join(api.dataDir, 'endpoints');
  await rename(folder, `${folder}-away`);
  await writeFile(folder, ''); // a missing folder would be made
  const failed = recorded(await api.create({ name: 'lost', ...model({ TOKEN: lost }, { ...me, password: lost }) }));
  await rm(folder);
  await rename(`${folder}-away`, folder);
  expect(failed.status).toBe(500);

  const files = (await readdir(api.dataDir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const kept = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')));
  const places = {
    kept: kept.join('\n'),
    logged: logged.join(''),
    answered: answers.map(({ text }) => text).join('\n'),
  };
  expect(places.kept).toContain('"sealed"');
  expect(places.logged).toContain(`listening at ${api.daemon.url}`);
  expect(places.logged).toContain(`POST ${LAB}`);
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [variable, later, password, refused, lost]) {
      expect(text, place).not.toContain(secret);
      // Nor the beginning of its encodings.
      expect(text, place).not.toContain(
        Buffer.from(secret ?? '')
          .toString('base64')
          .slice(0, 12),
      );
      expect(text, place).not.toContain(
        Buffer.from(secret ?? '')
          .toString('hex')
          .slice(0, 20),
      );
    }
  }
});
