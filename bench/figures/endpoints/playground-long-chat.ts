import { type Figure, row } from '../../harness/figure.ts';
import { heapBytes } from '../../harness/page/heap.ts';
import { longestTask } from '../../harness/page/main-thread.ts';
import { summary } from '../../harness/samples.ts';
import { type EndpointPage, openEndpointPage } from './endpoint-page.ts';

const AIM_MS = 100;

/** Whether a long conversation slows the page down. */
export const playgroundLongChat: Figure = {
  name: 'playground-long-chat',
  measures:
    "Chromium, the page of an endpoint: the page's longest task during a conversation of 200 turns with answers of 60 lines: processor time, and time by the clock; and the memory of its second half",
  beside: null,
  measure: async ({ quick }) => {
    await using chat = await openEndpointPage('try');
    await chat.page.getByRole('textbox', { name: 'Message' }).focus();
    const half = quick ? 2 : 100;
    chat.model.answer = { pieces: Array.from({ length: 60 }, (_, at) => `piece ${at} of an answer\n`), pauseMs: 0 };
    const first = await longestTask(chat.page, () => converse(chat, half));
    const before = await heapBytes(chat.page);
    const second = await longestTask(chat.page, () => converse(chat, half));
    const grown = (await heapBytes(chat.page)) - before;
    const aim = { text: `≤ ${AIM_MS} ms`, most: AIM_MS };
    return [
      row(
        'long chat, longest task',
        'ms',
        { ours: summary([Math.max(first.cpuMs, second.cpuMs)]), beside: null },
        () => aim,
      ),
      row('long chat, longest task by the clock', 'ms', {
        ours: summary([Math.max(first.wallMs, second.wallMs)]),
        beside: null,
      }),
      row('long chat, memory of a hundred turns', 'MB', { ours: summary([grown / 1e6]), beside: null }),
    ];
  },
};

/** Without a look into the page, which would be tasks of its own. */
async function converse({ page, model }: EndpointPage, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const asked = model.requests.length;
    await page.keyboard.insertText('And then?');
    // Enter sends nothing while the answer before is under way, nor an empty message.
    while (model.requests.length === asked) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(40);
    }
  }
}
