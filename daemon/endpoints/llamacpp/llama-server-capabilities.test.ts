import { expect, test } from 'vitest';
import { readCapabilities } from './llama-server-capabilities.ts';

const help = `
----- common params -----

-h,    --help, --usage                  print usage and exit
-m,    --model FNAME                    model path to load, see --other
-kvo,  --kv-offload, -nkvo, --no-kv-offload
                                        whether to enable KV cache offloading
--spec-draft-hf, -hfd, -hfrd, --hf-repo-draft <user>/<model>[:quant]
                                        Same as --hf-repo, but for the draft model
--spec-type none,draft-simple,ngram-mod
                                        comma-separated list
--chat-template JINJA_TEMPLATE          set custom jinja chat template (default: template taken from model's
                                        metadata)
                                        list of built-in templates:
                                        bailing, bailing-think,
                                        granite-4.0, zephyr
                                        (env: LLAMA_ARG_CHAT_TEMPLATE)
--host HOST                             IP addresses to listen on, comma-separated, or UNIX socket paths
                                        ending in .sock
--port PORT                             port to listen
-lv,   --verbosity, --log-verbosity N   Set the verbosity threshold. Values:
                                         - 3: info
                                         - 4: trace (more info)
                                         - 5: debug
`.split('\n');
const version = ['fatal: not a git repository', 'version: 0.7.0 (build 11669, commit Debian)', 'built with GNU'];

test('the texts of a recent version', () => {
  const devices = ['  CUDA0: A card (24 GiB)', '  Vulkan1: A card (a driver) (8192 MiB, 7168 MiB free)', '  (none)'];
  expect(readCapabilities(version, help, ['Available devices:', ...devices])).toEqual({
    version: '0.7.0',
    options: new Set([
      ...['-h', '--help', '--usage', '-m', '--model', '-kvo', '--kv-offload', '-nkvo', '--no-kv-offload'],
      ...['--spec-draft-hf', '-hfd', '-hfrd', '--hf-repo-draft', '--spec-type', '--chat-template', '--host', '--port'],
      ...['-lv', '--verbosity', '--log-verbosity'],
    ]),
    specTypes: ['none', 'draft-simple', 'ngram-mod'],
    chatTemplates: ['bailing', 'bailing-think', 'granite-4.0', 'zephyr'],
    listensOnSockets: true,
    devices: ['CUDA0', 'Vulkan1'],
    vulkanCards: [{ device: 'Vulkan1', name: 'A card (a driver)', totalBytes: 8 * 1024 ** 3 }],
    hidesLoading: true,
  });
});

test('an old version counts its builds and knows no sockets', () => {
  const lines = ['-m,    --model FNAME   model path', '--host HOST    ip address to listen', '--path    a.sock'];
  expect(readCapabilities(['version: 3000 (abc)'], lines, [])).toMatchObject({
    ...{
      version: 'b3000',
      listensOnSockets: false,
      specTypes: [],
      chatTemplates: [],
      devices: [],
      vulkanCards: [],
      hidesLoading: false,
    },
  });
});

test('another program is not llama-server', () => {
  expect(readCapabilities(['echo 9.1'], ['--help'], [])).toBeNull();
  expect(readCapabilities(['version: 1.0'], ['--verbose  say more'], [])).toBeNull();
});
