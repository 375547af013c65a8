import { installFigure } from '../harness/sample-installs.ts';

/** The time to update an app. */
export const update = installFigure(
  'update',
  'the same where it is installed already, with a version before it: from POST install to the event that lists the new one',
  (installs) => installs.install(),
);
