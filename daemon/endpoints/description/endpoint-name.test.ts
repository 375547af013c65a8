import { expect, test } from 'vitest';
import { EndpointName } from '../../contract/endpoints/endpoint.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { generateName } from './endpoint-name.ts';

const free = () => false;

test.each([
  ['Qwen/Qwen3-8B-GGUF', 0, 'qwen3-8b-gguf-000'],
  ['Qwen3-8B-GGUF', 0.5, 'qwen3-8b-gguf-i00'],
  ['a.b__c', 0.999_999_999, 'a-b-c-zzz'],
  ['meta-llama/Llama-3.2-11B-Vision-Instruct', 0, 'llama-3-2-11b-vision-instruc-000'],
  ['owner/exactly-27-characters-long-and', 0, 'exactly-27-characters-long-a-000'],
  ['owner/cut-where-a-hyphen-would-en-d', 0, 'cut-where-a-hyphen-would-en-000'],
  ['Été', 0, 'ete-000'],
  ['--x--', 0, 'x-000'],
  ['模型', 0, 'endpoint-000'],
  ['', 0, 'endpoint-000'],
])('%j, at chance %d, gives %j', (model, chance, name) => {
  expect(generateName(model, () => chance, free)).toBe(name);
});

test('a generated name is always valid and free', () => {
  const random = seededRandom(20_261_122);
  const letters = Array.from('aZ0-._/ é模\u0000😀');
  const taken = new Set<string>();
  for (let turn = 0; turn < 5_000; turn++) {
    const model = Array.from({ length: random() * 60 }, () => letters[Math.floor(random() * letters.length)]).join('');
    const name = generateName(model, random, (each) => taken.has(each));
    expect(EndpointName.safeParse(name).success, `${model} gave ${name}`).toBe(true);
    expect(taken.has(name), name).toBe(false);
    taken.add(name);
  }
});

test('when all three-character suffixes are taken, the suffix has four', () => {
  const isTaken = (name: string) => /^a-...$/.test(name);
  expect(generateName('a', () => 0.5, isTaken)).toBe('a-i000');
  const allButOne = (name: string) => name !== 'a-abc';
  expect(generateName('a', () => 0.5, allButOne)).toBe('a-abc');
});
