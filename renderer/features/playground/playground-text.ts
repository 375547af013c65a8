export const continueHelp = (tokens: number): string => `The model continues it, by at most ${tokens} tokens.`;
export const documentsHelp = 'One on each line.';
export const pathText = 'A path within the endpoint: it begins with “/”.';
export const replyCutText = 'The reply is longer; this is its beginning.';
