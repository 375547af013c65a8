import { counted } from '../../../parts/format.ts';

export const chatHelp = 'Enter sends, Shift+Enter begins a line; the chat stays in this browser.';
export const noMessagesText = 'No messages yet.';
export const forgottenText = (messages: number): string => `${counted(messages, 'older message')} no longer kept.`;
export const notSentText = (messages: number): string =>
  `The model no longer gets ${counted(messages, 'message')} above: its context has no room for more.`;
export const answeringText = 'The model answers.';
export const tooLongText = 'The answer was longer than this page shows.';
export const cutText = {
  bySetting: 'cut off at “Longest answer”',
  byServer: 'cut off where the model server ended it: its context may be full',
} as const;
export const temperatureText = 'A number, 0 or more.';
export const maxTokensText = 'A whole number, 1 or more.';
