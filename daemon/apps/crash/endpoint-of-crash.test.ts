import { expect, test } from 'vitest';
import type { NeedAfterRun } from '../needs/run-needs.ts';
import { diagnoseCrash } from './crash-diagnosis.ts';

const used = (id: string, need: string, trouble: string | null) => {
  const [namespace = '', name = ''] = id.split('/');
  const url = `http://127.0.0.1:8000/endpoints/${id}/v1`;
  return { need, task: 'text-generation', endpoint: { namespace, name }, url, trouble } satisfies NeedAfterRun;
};
const chat = used('lab/chat', 'chat', null);
const failedChat = used('lab/chat', 'chat', 'The server ended with exit code 1.');
const deletedChat = used('lab/chat', 'chat', 'It was deleted.');
const embed = used('lab/chat2', 'embed', null);

/** The diagnosis after an exception in the app. */
function diagnosed(exception: string, needs: readonly NeedAfterRun[]) {
  const traceback = ['Traceback (most recent call last):', '  File "/a/talks/main.py", line 8, in run', '    ask()'];
  const lines = [...traceback, exception].map((text) => ({ stream: 'stderr' as const, text }));
  const facts = { exitCode: 1, signal: null, appPackage: 'talks', sdkVersion: '1.0.0', robotLost: false };
  const { cause, message, action, endpoint } = diagnoseCrash({ ...facts, lines, needs });
  return { cause, message, action, endpoint };
}

const check = 'Check the endpoint lab/chat, or choose another one for "chat", then start the app again.';

test("the SDK's exception names the endpoint", () => {
  const text = 'The endpoint lab/chat (need "chat") failed: the model server did not answer (502).';
  expect(diagnosed(`robot.endpoints.EndpointError: ${text}`, [embed, chat])).toEqual({
    ...{ cause: 'endpoint-failed', message: text, action: check, endpoint: chat.endpoint },
  });
  expect(diagnosed(`robot.endpoints.EndpointError: ${text}`, [])).toMatchObject({
    ...{ cause: 'endpoint-failed', message: text, endpoint: undefined },
  });
});

test.each([
  "openai.InternalServerError: Error code: 503 - {'error': {'message': '\"chat\" has failed'}}",
  'urllib.error.HTTPError: HTTP Error 502: Bad Gateway',
  'openai.APIConnectionError: Connection error.',
  'httpx.ConnectError: [Errno 111] Connection refused',
  'http.client.RemoteDisconnected: Remote end closed connection without response',
])('%s: the endpoint that is not ready is named', (exception) => {
  expect(diagnosed(exception, [embed, failedChat])).toEqual({
    cause: 'endpoint-failed',
    message: 'The endpoint lab/chat, which it uses for "chat", is not ready. The server ended with exit code 1.',
    action: check,
    endpoint: failedChat.endpoint,
  });
});

test('a deleted endpoint is named, by its own refusal or by a status', () => {
  const refusal = `openai.NotFoundError: Error code: 404 - {'error': {'message': 'There is no endpoint "lab/chat".'}}`;
  expect(diagnosed(refusal, [embed, deletedChat])).toEqual({
    ...{ cause: 'endpoint-failed', message: 'The endpoint lab/chat that it uses was deleted.', action: check },
    endpoint: deletedChat.endpoint,
  });
  expect(diagnosed('urllib.error.HTTPError: HTTP Error 404: Not Found', [embed, deletedChat])).toMatchObject({
    message: 'The endpoint lab/chat, which it uses for "chat", is not ready. It was deleted.',
  });
});

test('the only endpoint is named after its request failed, although it is ready again', () => {
  expect(diagnosed('urllib.error.HTTPError: HTTP Error 502: Bad Gateway', [chat])).toMatchObject({
    cause: 'endpoint-failed',
    message: 'The endpoint lab/chat, which it uses for "chat", failed while it ran.',
  });
  expect(diagnosed('urllib.error.HTTPError: HTTP Error 502: Bad Gateway', [chat, embed])).toMatchObject({
    cause: 'endpoint-asleep',
  });
});

test.each([
  'requests.exceptions.HTTPError: 503 Server Error: Unavailable for url: https://speech.example.com/v1',
  "requests.exceptions.ConnectionError: HTTPConnectionPool(host='speech.example.com', port=80): Connection refused",
  'ValueError: no such mood',
  'urllib.error.HTTPError: HTTP Error 404: Not Found',
])('%s has another cause', (exception) => {
  const endpoints = exception.includes('404') ? [chat] : [failedChat];
  expect(diagnosed(exception, endpoints)).toEqual(diagnosed(exception, []));
});

test('an endpoint whose name begins like that of another is not taken for it', () => {
  const exception = 'openai.InternalServerError: Error code: 502 for http://127.0.0.1:8000/endpoints/lab/chat2/v1';
  expect(diagnosed(exception, [chat, embed])).toMatchObject({ endpoint: embed.endpoint });
});
