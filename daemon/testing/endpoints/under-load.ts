import { expect } from 'vitest';

/** Requests at a time. */
const SENDERS = 12;

/**
 * Sends requests without a pause while something happens, then waits for their answers.
 * @param send sends one request and reads its answer
 * @param during begins once the load is on
 */
export async function underLoad<Answer>(
  send: () => Promise<Answer>,
  during: () => Promise<void>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let isOver = false;
  const sendAll = async () => {
    while (!isOver) answers.push(await send());
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, sendAll));
  try {
    await expect.poll(() => answers.length).toBeGreaterThan(SENDERS);
    await during();
  } finally {
    isOver = true;
    await sending;
  }
  return answers;
}
