import { expect, test } from 'vitest';
import { missingPackages } from './test-programs.ts';

test('a long run has more programs than npm test, and only those that are missing are installed', () => {
  const none = () => false;
  expect(missingPackages('test', none)).toContain('podman');
  expect(missingPackages('test', none)).not.toContain('zsh');
  expect(missingPackages('torture', none)).toEqual(expect.arrayContaining(['podman', 'zsh', 'fish', 'apparmor']));
  expect(missingPackages('torture', (program) => program !== '/usr/bin/fish')).toEqual(['fish']);
});
