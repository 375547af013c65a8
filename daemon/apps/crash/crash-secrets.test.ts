import { expect, test } from 'vitest';
import { withoutSecrets } from './crash-secrets.ts';

test.each([
  ['token hf_abcdefghijklmnopqrst was refused', 'token hf_… was refused'],
  ['Incorrect API key provided: sk-proj-a1b2********c3d4.', 'Incorrect API key provided: sk-…'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer …'],
  [`got rd_${'aB3-_'.repeat(8)}xyz`, 'got rd_…'],
  [`ROBOT_RUN_TOKEN is rd_run_${'0'.repeat(43)}.`, 'ROBOT_RUN_TOKEN is rd_run_….'],
  ['Authorization: Token abc def', 'Authorization: …'],
  ['{"authorization": "Digest user=ada"}', '{"authorization": "…"}'],
  ['Set-Cookie: session=abc; HttpOnly', 'Set-Cookie: …'],
  ['{"Authorization": header}', '{"Authorization": header}'],
  ['rd_kafka_new failed', 'rd_kafka_new failed'],
  ['https://api.example.com/v1?key=abc123&lang=en', 'https://api.example.com/v1?key=…&lang=en'],
  ["{'password': 'swordfish', 'user': 'ada'}", "{'password': '…', 'user': 'ada'}"],
  ['api_key = "abc123"', 'api_key = "…"'],
  ['https://ada:swordfish@git.example.com/x', 'https://…@git.example.com/x'],
  ['run --api-key abc123', 'run --api-key …'],
  ["KeyError: 'SPEECH_API_KEY'", "KeyError: 'SPEECH_API_KEY'"],
  ['moves.sort(key=lambda move: move.name)', 'moves.sort(key=lambda move: move.name)'],
  ['key = os.environ["SPEECH_API_KEY"]', 'key = os.environ["SPEECH_API_KEY"]'],
])('of %s, %s is shown', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});
