import { counted } from '../../parts/format.ts';

export const continueHelp = (tokens: number): string => `The model continues it, by at most ${tokens} tokens.`;
export const documentsHelp = 'One on each line.';
export const pathText = 'A path within the endpoint: it begins with “/”.';
export const replyCutText = 'The reply is longer; this is its beginning.';

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
