import { expect, test } from 'vitest';
import { type ChangeEffect, effectOf, greatestEffect, isUnwatched } from './change-effect.ts';

test.each<[string, string, ChangeEffect]>([
  ['my_app/main.py', '', 'code'],
  ['my_app/deep/er/part.py', '', 'code'],
  ['helper.py', '', 'code'],
  ['src/my_app/main.py', 'src', 'code'],
  ['my_app/static/server.py', '', 'code'],
  ['scripts/tool.py', 'src', 'none'],
  ['pyproject.toml', '', 'declarations'],
  ['pyproject.toml', 'src', 'declarations'],
  ['my_app/pyproject.toml', '', 'none'],
  ['README.md', '', 'description'],
  ['icon.svg', 'src', 'description'],
  ['icon.png', '', 'description'],
  ['my_app/icon.png', '', 'none'],
  ['my_app/static/page.js', '', 'none'],
  ['my_app/static/index.html', '', 'none'],
  ['my_app/settings.json', '', 'none'],
  ['my_app/log.txt', '', 'none'],
  ['tests/test_app.py', '', 'none'],
  ['conftest.py', '', 'none'],
  ['docs/conf.py', '', 'none'],
  ['my_app/tests.py', '', 'code'],
  ['build/lib/my_app/main.py', '', 'none'],
  ['my_app/build/main.py', '', 'code'],
  ['.venv/lib/python3.11/site-packages/x.py', '', 'none'],
  ['my_app/__pycache__/main.cpython-311.pyc', '', 'none'],
  ['my_app.egg-info/x.py', '', 'none'],
  ['.git/hooks/x.py', '', 'none'],
  ['my_app/.#main.py', '', 'none'],
  ['my_app/#main.py#', '', 'none'],
  ['my_app/.main.py.swp', '', 'none'],
  ['my_app/main.py~', '', 'none'],
  ['my_app/.main.py.tmp', '', 'none'],
  ['my_app/4913', '', 'none'],
  ['my_app/Ünïcode name.py', '', 'code'],
])('%s (package in "%s"): %s', (path, root, effect) => {
  expect(effectOf(path, root)).toBe(effect);
});

test('several changes have the greatest effect', () => {
  expect(greatestEffect(['none', 'code', 'description'])).toBe('code');
  expect(greatestEffect(['description', 'declarations'])).toBe('declarations');
  expect(greatestEffect([])).toBe('none');
});

test('folders of other tools are not watched', () => {
  expect(
    ['.git', 'node_modules', 'my_app/__pycache__', 'build', 'dist', 'x.egg-info'].filter(isUnwatched),
  ).toHaveLength(6);
  expect(['my_app', 'src', 'tests', 'my_app/build', ''].filter(isUnwatched)).toEqual([]);
});
