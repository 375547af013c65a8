import { expect, test } from 'vitest';
import { StopTexts } from './stop-texts.ts';

const run = (stops: string[], pieces: string[]) => {
  const texts = new StopTexts(stops);
  const out: string[] = [];
  for (const piece of pieces) {
    out.push(texts.add(piece));
    if (texts.isStopped) return { out, rest: texts.rest(), isStopped: true };
  }
  return { out, rest: texts.rest(), isStopped: false };
};

test.each([
  [[], ['ab', 'c'], { out: ['ab', 'c'], rest: '', isStopped: false }],
  [['END'], ['one E', 'ND two'], { out: ['one ', ''], rest: '', isStopped: true }],
  [['END'], ['one E', 'N', 'o'], { out: ['one ', '', 'ENo'], rest: '', isStopped: false }],
  [['END'], ['one EN'], { out: ['one '], rest: 'EN', isStopped: false }],
  [['aab'], ['a', 'a', 'a', 'b'], { out: ['', '', 'a', ''], rest: '', isStopped: true }],
  [['later', 'at'], ['it is at a later'], { out: ['it is '], rest: '', isStopped: true }],
  [[''], ['x'], { out: ['x'], rest: '', isStopped: false }],
])('the stop texts %j in the output %j', (stops, pieces, expected) => {
  expect(run(stops, pieces)).toEqual(expected);
});
