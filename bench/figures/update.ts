import { installFigure } from '../harness/sample-installs.ts';

/** The time to update an app. */
export const update = installFigure(
  'update',
  'from POST install of the sample hello_wave, already installed with an earlier version, to the event that lists the new one',
  (installs) => installs.install(),
);
