import { describe, expect, test } from 'vitest';
import { isBareSdk, sdkFinding, sdkRequirement } from './requirement.ts';

const place = { file: 'pyproject.toml', key: ['project', 'dependencies', 0] };
const shipped = '1.0.0';
const of = (dependency: string) => sdkFinding([dependency], shipped);

test.each<[string, string, ...string[]]>([
  ['robot-sdk', ''],
  ['robot_sdk>=1.0', '>=1.0'],
  ['Robot.SDK == 1.7.3', '== 1.7.3'],
  ['robot', ''],
  ['robot-sdk[baseline, audio]>=1.2.3rc1', '>=1.2.3rc1', 'baseline', 'audio'],
  ['robot-sdk (>=1.0,<2)', '>=1.0,<2'],
  ['robot-sdk>=1; python_version >= "3.11"', '>=1'],
])('%s is a requirement of the SDK', (dependency, specifier, ...extras) => {
  expect(sdkRequirement(['numpy>=1.26', dependency])).toMatchObject({ specifier, extras, address: null });
});

test.each(['robotics', 'robot-sdk-extras', 'my-robot', '-r robot', './robot', 'robot sdk'])(
  '%s is no requirement of the SDK',
  (other) => {
    expect(sdkRequirement([other])).toBeNull();
  },
);

test.each([
  'robot-sdk',
  'robot-sdk>=1.0',
  'robot-sdk>=0.9',
  'robot>=1.0.0rc1',
  'robot-sdk==1.*',
  'robot-sdk~=1.0',
  'robot-sdk>=1.0,<2',
  'robot-sdk===1.0.0',
])('%s is met', (dependency) => expect(of(dependency)).toBeNull());

test.each(['>=1.9', '>=1.9,<2', '==1.7.3', '==1.7.*', '>1.0', '>=1.2.3rc1', '~=1.4.2', '!=1.0.0', '<1.5,>1.2'])(
  '%s is of the same major version: the shipped one is used',
  (specifier) => {
    expect(of(`robot-sdk${specifier}`)).toEqual({
      ...place,
      severity: 'warning',
      code: 'sdk-version',
      message: `It asks for robot-sdk ${specifier}; version 1.0.0 is used.`,
    });
  },
);

describe('another major version is refused', () => {
  test.each(['>=2', '>=2.1.3', '==2.*', '==3.0.0', '~=2.1', '>=2.0.0rc1', '>1,!=1.*'])('newer: %s', (specifier) => {
    expect(of(`robot-sdk${specifier}`)).toEqual({
      ...place,
      severity: 'problem',
      code: 'sdk-mismatch',
      message: `It needs robot-sdk ${specifier}; this Robot Desktop has 1.0.0.`,
      action: 'Update Robot Desktop.',
    });
  });
  test.each(['<1', '<1.0.0', '==0.9.*', '>=0.5,<0.9', '~=0.9', '>=2,<1'])('older: %s', (specifier) => {
    expect(of(`robot-sdk${specifier}`)).toMatchObject({
      code: 'sdk-mismatch',
      action: 'Ask the author for a version that works with robot-sdk 1.0.0.',
    });
  });
});

test('no bound is a problem, an address is only a warning', () => {
  expect(of('robot-sdk>=new')).toMatchObject({ severity: 'problem', code: 'bad-dependency' });
  expect(of('robot-sdk @ git+https://example.org/sdk.git@main')).toEqual({
    ...place,
    severity: 'warning',
    code: 'sdk-version',
    message: 'It takes robot-sdk from git+https://example.org/sdk.git@main; version 1.0.0 is used.',
  });
  expect(sdkFinding([], shipped)).toBeNull();
});

test('without extras only the shipped SDK is needed', () => {
  expect(['robot-sdk>=1', 'robot_sdk', 'robot'].every(isBareSdk)).toBe(true);
  expect(['robot-sdk[audio]', 'numpy', '-r'].some(isBareSdk)).toBe(false);
});
