import { expect, test } from 'vitest';
import type { ChatTemplate } from '../../contract/endpoints/chat-template.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { LlamaServer } from './llama-server.ts';
import type { LlamaServerCapabilities } from './llama-server-capabilities.ts';

function unsuitable(chatTemplate: ChatTemplate, known: readonly string[], args: readonly string[] = []) {
  const server = new LlamaServer({
    program: '/llama-server',
    capabilities: {
      ...{
        version: 'b1',
        options: new Set<string>(),
        specTypes: [],
        listensOnSockets: true,
        devices: [],
        vulkanCards: [],
        hidesLoading: false,
      },
      chatTemplates: known,
    },
    childEnvironment: () => ({}),
    noCard: () => null,
    clock: manualClock(),
  });
  const parts = partsNamed('a');
  const image = { llamacpp: { url: 'u', modelPath: '/x', chatTemplate } };
  return server.unsuitable({ ...parts, model: { ...parts.model, image, args: [...args] } });
}

test('an endpoint of an earlier version that left the number of slots to llama.cpp runs; other arguments are refused', () => {
  expect(unsuitable('llama3', [], ['-np', '-1'])).toBeNull();
  expect(unsuitable('llama3', [], ['-np', '-1', '--seed'])).toMatchObject({ problem: '--seed takes a value.' });
});

test('a version that does not list a chat template is not used; one that lists none is asked', () => {
  expect(unsuitable('granite', ['chatml', 'llama3'])).toEqual({
    problem: 'llama-server b1 knows no chat template granite.',
    action: 'Install a newer one.',
  });
  expect(unsuitable('llama3', ['chatml', 'llama3'])).toBeNull();
  expect(unsuitable('granite', [])).toBeNull();
});

test('by Vulkan it runs on a place of a card that this daemon knows, by another interface it may run without', () => {
  const serverOn = (devices: string[], vulkanCards: LlamaServerCapabilities['vulkanCards']) =>
    new LlamaServer({
      program: '/llama-server',
      capabilities: {
        ...{ version: 'b1', options: new Set<string>(), specTypes: [], chatTemplates: [], listensOnSockets: true },
        ...{ devices, vulkanCards, hidesLoading: false },
      },
      childEnvironment: () => ({}),
      noCard: () => null,
      clock: manualClock(),
    });
  const byVulkan = serverOn(['Vulkan0'], [{ device: 'Vulkan0', name: 'A card', totalBytes: 8e9 }]);
  expect([byVulkan.cardPlace, byVulkan.cards]).toMatchObject([
    'needed',
    [{ index: 0, name: 'A card', device: 'Vulkan0', totalBytes: 8e9, freeBytes: 8e9 }],
  ]);
  expect(serverOn(['CUDA0'], []).cardPlace).toBe('welcome');
});
