import { installFigure } from '../harness/sample-installs.ts';

/** How soon the next version of an app can be started. */
export const update = installFigure(
  'update',
  'the same where it is installed already, with a version before it: from POST install to the event that lists the new one',
  (installs) => installs.install(),
);
