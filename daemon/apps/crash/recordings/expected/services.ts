import type { Recording } from './recording.ts';

/** Services and endpoints that refuse, sleep or do not answer. */
export const services: readonly Recording[] = [
  [
    'unauthorized-requests',
    'unauthorized',
    'hello_wave/main.py:9 requests.get(f"{URL}/401/whoami").raise_for_status()',
    '127.0.0.1:8700 refused the request (401)',
  ],
  [
    'unauthorized-httpx',
    'unauthorized',
    'hello_wave/main.py:6 httpx.get(f"{URL}/401/v1").raise_for_status()',
    '127.0.0.1:8700 refused the request (401)',
  ],
  ['forbidden-urllib', 'unauthorized', 'hello_wave/main.py:6 urlopen(f"{URL}/403/voices")', 'refused the request'],
  [
    'unauthorized-model',
    'unauthorized',
    'hello_wave/main.py:8 client.chat.completions.create(model="small", messages=[])',
    'refused the request',
  ],
  [
    'unauthorized-hub',
    'unauthorized',
    'hello_wave/main.py:7 HfApi(endpoint=f"{URL}/401", token="…").whoami()',
    'refused the request',
  ],
  ['speech-unauthorized', 'unauthorized', 'hello_wave/main.py:7 asyncio.run(run())', 'refused the request'],
  [
    'endpoint-of-app',
    'endpoint-failed',
    'hello_wave/main.py:13 print(chat.chat("Hello", timeout=5))',
    'The endpoint lab/chat (need "chat")',
  ],
  [
    'endpoint-paused',
    'endpoint-asleep',
    'hello_wave/main.py:7 InferenceClient(f"{URL}/400", token="…").text_generation("hello")',
    'paused',
  ],
  [
    'endpoint-asleep',
    'endpoint-asleep',
    'hello_wave/main.py:8 client.chat.completions.create(model="small", messages=[])',
    '(503)',
  ],
  [
    'model-loading',
    'endpoint-asleep',
    'hello_wave/main.py:7 client.post(json={"inputs": "hello"})',
    'models.example.com is not ready (503)',
  ],
  [
    'bad-gateway',
    'endpoint-asleep',
    'hello_wave/main.py:6 requests.post(f"{URL}/502/generate").raise_for_status()',
    '(502)',
  ],
  [
    'no-such-host',
    'network',
    'hello_wave/main.py:3 requests.get("https://speech.invalid/v1", timeout=5)',
    'The name speech.invalid',
  ],
  [
    'connection-refused',
    'network',
    'hello_wave/main.py:3 requests.get("http://127.0.0.1:9/v1", timeout=5)',
    'Nothing answers at 127.0.0.1:9.',
  ],
  ['connection-refused-httpx', 'network', 'hello_wave/main.py:3 httpx.get("http://127.0.0.1:9/v1")', 'does not answer'],
  [
    'connection-refused-asyncio',
    'network',
    'hello_wave/main.py:5 await asyncio.open_connection("127.0.0.1", 9)',
    '127.0.0.1:9',
  ],
  [
    'service-timeout',
    'network',
    'hello_wave/main.py:6 requests.get("http://127.0.0.1:8711/v1", timeout=0.2)',
    'in time',
  ],
];
