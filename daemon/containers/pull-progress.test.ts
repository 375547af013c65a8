import { expect, test } from 'vitest';
import { PullLayers, type PullLine } from './pull-image.ts';

function progressAfter(events: readonly PullLine[]) {
  const layers = new PullLayers();
  for (const event of events) layers.add(event);
  return layers.progress;
}

const started: PullLine[] = [
  { id: '1.0', status: 'Pulling from lab/server' },
  { id: 'a', status: 'Pulling fs layer' },
  { id: 'b', status: 'Pulling fs layer' },
  { id: 'c', status: 'Already exists' },
];

test('Docker tells of bytes; the total is known once it is for each layer', () => {
  expect(progressAfter(started)).toEqual({ doneBytes: null, totalBytes: null, layersDone: 1, layers: 3 });
  const first = [...started, { id: 'a', status: 'Downloading', progressDetail: { current: 10, total: 40 } }];
  expect(progressAfter(first)).toEqual({ doneBytes: 10, totalBytes: null, layersDone: 1, layers: 3 });
  const both = [
    ...first,
    { id: 'b', status: 'Downloading', progressDetail: { current: 5, total: 60 } },
    { id: 'a', status: 'Download complete' },
    { id: 'a', status: 'Extracting', progressDetail: { current: 1, total: 900 } },
  ];
  expect(progressAfter(both)).toEqual({ doneBytes: 45, totalBytes: 100, layersDone: 1, layers: 3 });
  expect(progressAfter([...both, { id: 'a', status: 'Pull complete' }])).toMatchObject({ layersDone: 2 });
});

test('Podman tells of layers that are here, and of no bytes', () => {
  const events = [...started, { id: 'a', status: 'Download complete' }];
  expect(progressAfter(events)).toEqual({ doneBytes: null, totalBytes: null, layersDone: 2, layers: 3 });
});

test('lines about no layer change nothing', () => {
  const layers = new PullLayers();
  expect(layers.add({ status: 'Digest: sha256:1' })).toBe(false);
  expect(layers.add({ id: '1.0', status: 'Pulling from lab/server' })).toBe(false);
  expect(layers.progress).toEqual({ doneBytes: null, totalBytes: null, layersDone: 0, layers: null });
});

test('the number of layers is bounded', () => {
  const events = Array.from({ length: 2_000 }, (_, index) => ({ id: `l${index}`, status: 'Waiting' }));
  expect(progressAfter(events).layers).toBe(500);
});
