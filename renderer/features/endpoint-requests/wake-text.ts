/** Says what a request to an endpoint waits for, or why none is answered. @param noun the thing that wakes it: `message` */
export const wakeText = {
  asleep: (noun: string) => `It is asleep: your first ${noun} wakes it, and waits for it.`,
  paused: 'It is paused: resume it to try it.',
  failed: 'It failed for the reason above: resume it to try it.',
  waiting: (noun: string) => `Your ${noun} waits until it has started.`,
  starting: 'It is starting.',
} as const;
