import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './crash-secrets.ts';

test.each([
  ['token hf_abcdefghijklmnopqrst was refused', 'token hf_… was refused'],
  ['Incorrect API key provided: sk-proj-a1b2********c3d4.', 'Incorrect API key provided: sk-…'],
  [`got rd_${'aB3-_'.repeat(8)}xyz`, 'got rd_…'],
  [`ROBOT_RUN_TOKEN is rd_run_${'0'.repeat(43)}.`, 'ROBOT_RUN_TOKEN is rd_run_….'],
  ['https://api.example.com/v1?key=abc123&lang=en', 'https://api.example.com/v1?key=…&lang=en'],
  ["{'password': 'swordfish', 'user': 'ada'}", "{'password': '…', 'user': 'ada'}"],
  ['password="a, b; c)", port=1', 'password="…", port=1'],
  ['{"client_secret":"it\'s","n":1}', '{"client_secret":"…","n":1}'],
  ['api_key = "abc123"', 'api_key = "…"'],
  ['run --api-key abc123', 'run --api-key …'],
  ['run --password "two words" --port 1', 'run --password "…" --port 1'],
  ['refused with bearer a1b2c3d4', 'refused with bearer …'],
])('of %s, %s is shown', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

describe('a header keeps its name alone', () => {
  test.each([
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer …'],
    ['Authorization: Basic YWRhOnN3b3JkZmlzaA==', 'Authorization: Basic …'],
    ['authorization:Bearer abc', 'authorization:Bearer …'],
    ['Authorization: Token abc def', 'Authorization: …'],
    ['Authorization: Digest username="ada", response="6629fae4"', 'Authorization: …'],
    ['Proxy-Authorization: Basic YWRh', 'Proxy-Authorization: Basic …'],
    ['x-api-key: s3cret', 'x-api-key: …'],
    ['X-Goog-Api-Key: s3cret', 'X-Goog-Api-Key: …'],
    ['X-Auth-Token: s3cret', 'X-Auth-Token: …'],
    ['Cookie: a="b"; c=d, e', 'Cookie: …'],
    ['Set-Cookie: session=abc; HttpOnly', 'Set-Cookie: …'],
    ['< set-cookie: session=abc; Path=/', '< set-cookie: …'],
    ['header: Set-Cookie: session=abc', 'header: Set-Cookie: …'],
    ['Cookie: a=b\nHost: robot.example', 'Cookie: …\nHost: robot.example'],
  ])('in a line: %s', (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test.each([
    ['{"Authorization":"Bearer abc","accept":"*/*"}', '{"Authorization":"Bearer …","accept":"*/*"}'],
    ['{"x-api-key": "s3cret, with a comma", "n": 1}', '{"x-api-key": "…", "n": 1}'],
    ['{"Cookie":"a=\\"b\\"; c=d","n":1}', '{"Cookie":"…","n":1}'],
    ['"{\\"x-api-key\\":\\"s3cret\\",\\"n\\":1}"', '"{\\"x-api-key\\":\\"…\\",\\"n\\":1}"'],
    ['{"set-cookie":["a=b; Path=/","c=d"],"n":1}', '{"set-cookie":[…],"n":1}'],
    ["{ authorization: 'Bearer abc', host: 'x' }", "{ authorization: 'Bearer …', host: 'x' }"],
    [`{'Cookie': 'a="b"', 'n': 1}`, "{'Cookie': '…', 'n': 1}"],
    ["{'Authorization': 'Basic YWRh', 'n': 1}", "{'Authorization': 'Basic …', 'n': 1}"],
    ["[(b'authorization', b'Bearer abc'), (b'host', b'x')]", "[(b'authorization', b'Bearer …'), (b'host', b'x')]"],
    ['add_header("Authorization", "Basic YWRh")', 'add_header("Authorization", "Basic …")'],
    ['headers["Authorization"] = "Bearer abc"', 'headers["Authorization"] = "Bearer …"'],
    [
      "send: b'GET / HTTP/1.1\\r\\nAuthorization: Basic YWRh\\r\\nHost: x\\r\\n\\r\\n'",
      "send: b'GET / HTTP/1.1\\r\\nAuthorization: Basic …\\r\\nHost: x\\r\\n\\r\\n'",
    ],
  ])('as JSON or in source code: %s', (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test.each([
    ['curl -H "Authorization: Bearer abc" https://x', 'curl -H "Authorization: Bearer …" https://x'],
    ["curl -H 'x-api-key: a b' https://x", "curl -H 'x-api-key: …' https://x"],
    ['curl --header \'Cookie: a="b"\' https://x', "curl --header 'Cookie: …' https://x"],
    ['curl -u ada:swordfish https://x', 'curl -u ada:… https://x'],
    ['curl --proxy-user "ada:swordfish" https://x', 'curl --proxy-user "ada:…" https://x'],
    ["curl --cookie 'a=b; c=d' https://x", "curl --cookie '…' https://x"],
    ['curl --oauth2-bearer abc https://x', 'curl --oauth2-bearer … https://x'],
  ])('as an argument: %s', (text, shown) => {
    expect(withoutSecrets(text)).toBe(shown);
  });
});

test.each([
  ['https://ada:swordfish@git.example.com/x', 'https://…@git.example.com/x'],
  ['https://ada:p@ss@git.example.com/x', 'https://…@git.example.com/x'],
  ["https://ada:it's@git.example.com/x", 'https://…@git.example.com/x'],
  ['redis://:swordfish@127.0.0.1:6379/0', 'redis://…@127.0.0.1:6379/0'],
])('an address loses the name and the password in it: %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('a token of any length is masked in an address', () => {
  expect(withoutSecrets(`https://${'a'.repeat(900)}@git.example.com/x`)).toBe('https://…@git.example.com/x');
});

test.each([
  '{"Authorization": header}',
  "headers = {'x-api-key': api_key}",
  "headers={'Authorization': f'Bearer {token}'}",
  'curl -H "Authorization: Bearer $TOKEN" https://x',
  'Authorization:  Bearer  $TOKEN',
  "-H 'x-api-key: <your key>'",
  'Authorization: Bearer …',
  'Cookie: ••••••',
  'password: ********',
  'token="{token}"',
  'rd_kafka_new failed',
  "KeyError: 'SPEECH_API_KEY'",
  'moves.sort(key=lambda move: move.name)',
  'key = os.environ["SPEECH_API_KEY"]',
  'def call(api_key: str) -> None:',
  'The header x-api-key is missing, and so is Authorization.',
  'No cookies are set',
  'Basic authentication is required',
  'WWW-Authenticate: Bearer realm="robot"',
  'Bearer tokens are needed',
  'python -u main.py',
  'python -u C:\\apps\\main.py',
  'docker run -u 1000:1000 image',
  'pip install --user numpy',
  'http://robot.example/?mail=a@robot.example',
  'http://robot.example/a@b',
])('%s has no secret, and stays', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

/** Texts that begin a secret again and again, and never end it. */
test.each([
  ...['cookie:', 'cookie: "', "'cookie', '", 'cookie: [', '"', '\\"', 'x-api-key:\\', 'Authorization: Bearer ', '$a'],
  ...['Bearer  ', '://a', 'key="', 'key = ', '--user a', ' -u a:', 'password: ', 'a-', ' ', '<a'],
])('a long text of only %j is masked as quickly as another', (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  // A pattern that tried each beginning with each end would take longer than a test may.
  expect(withoutSecrets(text).length).toBeGreaterThan(0);
});
