import { expect, test } from 'vitest';
import type { NeedAfterRun } from '../needs/run-needs.ts';
import { diagnoseCrash } from './crash-diagnosis.ts';

const lab = { namespace: 'lab', name: 'chat' };
const unchosen: NeedAfterRun = { need: 'chat', task: 'text-generation', endpoint: null, url: null, trouble: null };

/** The diagnosis after an app used an endpoint that it did not have. */
function diagnosed(exception: string, needs: readonly NeedAfterRun[]) {
  const traceback = ['Traceback (most recent call last):', '  File "/a/talks/main.py", line 8, in run', '    ask()'];
  const lines = [...traceback, exception].map((text) => ({ stream: 'stderr' as const, text }));
  const facts = { exitCode: 1, signal: null, appPackage: 'talks', sdkVersion: '1.0.0', robotLost: false };
  const { cause, message, action, need, endpoint } = diagnoseCrash({ ...facts, lines, needs });
  return { cause, message, action, need, endpoint };
}

const exceptions = [
  'robot.endpoints.EndpointMissing: This app has no endpoint for "chat". Choose one on the app\'s page in Robot Desktop.',
  // Of an SDK that was installed before the exception had a class of its own.
  "KeyError: 'This app has no endpoint for \"chat\". No endpoint is assigned to it. Choose one on the app\\'s page.'",
];

test.each(exceptions)('a need that has no endpoint is to be chosen: %s', (exception) => {
  expect(diagnosed(exception, [unchosen])).toEqual({
    cause: 'endpoint-missing',
    message: 'It used a model for "chat" (text-generation), and none is chosen for it.',
    action: 'Choose a model for "chat" on the app\'s page, then start it again.',
    need: 'chat',
    endpoint: undefined,
  });
});

test.each(exceptions)('an endpoint that was left out at the start is named: %s', (exception) => {
  expect(diagnosed(exception, [{ ...unchosen, endpoint: lab, trouble: 'Paused.' }])).toEqual({
    cause: 'endpoint-missing',
    message:
      'It used a model for "chat", and was started without it: the endpoint lab/chat could not be used then. Paused.',
    action: 'Check the endpoint lab/chat, or choose another one for "chat", then start the app again.',
    need: 'chat',
    endpoint: lab,
  });
});

test.each(exceptions)('a need that is not declared is to be declared: %s', (exception) => {
  expect(diagnosed(exception, [{ ...unchosen, need: 'ear' }])).toMatchObject({
    message: 'It used a model for "chat", a need that it does not declare.',
    action: expect.stringContaining('declare chat in [tool.robot.needs]'),
    need: undefined,
  });
});

test('an own KeyError of the app is its own', () => {
  expect(diagnosed("KeyError: 'chat'", [unchosen])).toMatchObject({ cause: 'exception', need: undefined });
});
