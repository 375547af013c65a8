export const failedPageText = 'A part of the dashboard failed. The other pages still work.';
export const reloadsText = 'This page could not be loaded: the dashboard reloads once the daemon answers.';
export const notLoadedText = 'This page could not be loaded, even after the dashboard was reloaded.';
export const awaitedTitle = 'The daemon does not answer, and this page was not opened before.';
export const awaitedText = 'The page appears by itself once the daemon answers.';
export const loadingText = 'Waiting for the daemon to send this page…';
export const noDaemonHelp = 'The daemon does not answer.';
