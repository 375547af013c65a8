import { expect, test } from 'vitest';
import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { progressText, StartReport, startSteps } from './start-report.ts';

function report() {
  const seen: EndpointProgress[] = [];
  const parts = partsNamed('a', {
    model: { framework: 'custom', repository: 'ada/tiny', image: { custom: { url: 'docker.io/a:1' } } },
  });
  const clock = manualClock();
  const made = new StartReport(clock, startSteps(parts), (progress) => seen.push(progress));
  return {
    report: made,
    clock,
    newest: () => seen.at(-1) as EndpointProgress,
    texts: () => [...new Set(seen.map(progressText))],
  };
}

test('the image comes before the model, with layers where no bytes are known', () => {
  const all = report();
  using _ = all.report;
  all.report.at('pull', '3 of 7 layers');
  all.report.at('verify');
  expect(all.newest().steps.map(({ name, state }) => [name, state])).toEqual([
    ['pull', 'done'],
    ['download', 'done'],
    ['verify', 'running'],
    ['start', 'pending'],
    ['load', 'pending'],
  ]);
  expect(all.texts()).toEqual([
    'Downloading the image.',
    'Downloading the image: 3 of 7 layers.',
    'Checking the model file.',
  ]);
});

test('a download of unknown size shows its share once the size is known', async () => {
  const { report: start, clock, newest, texts } = report();
  using _ = start;
  start.downloaded('pull', 0, null);
  start.downloaded('pull', 250e6, 1e9);
  await clock.advance(500);
  expect(newest().transfer).toMatchObject({ doneBytes: 250e6, totalBytes: 1e9 });
  start.at('start');
  expect(newest().transfer).toBeNull();
  expect(texts()).toEqual(['Downloading the image.', 'Downloading the image: 25 % of 1.0 GB.', 'Starting the server.']);
});

test('a wait for the engine becomes the first step', () => {
  const { report: start, newest } = report();
  using _ = start;
  start.at('engine');
  expect(newest().steps[0]).toEqual({ name: 'engine', title: 'Wait for the engine', state: 'running' });
  expect(progressText(newest())).toBe('The container engine does not answer. Waiting for it.');
  start.at('pull');
  expect(
    newest()
      .steps.map(({ state }) => state)
      .slice(0, 2),
  ).toEqual(['done', 'running']);
});

test('a model that the engine downloads by itself has no steps here', () => {
  const plain = partsNamed('a');
  expect(startSteps(plain, { pulls: true, need: 'nothing', warmsUp: false })).toEqual(['pull', 'start', 'load']);
  const repository = { pulls: false, need: 'repository', warmsUp: false } as const;
  expect(startSteps(plain, repository)).toEqual(['download', 'verify', 'start', 'load']);
});
