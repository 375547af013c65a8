import { installFigure } from '../harness/sample-installs.ts';

/** The time to install a sample app. */
export const install = installFigure(
  'install',
  'from just before POST install of the sample hello_wave, not installed, to the event that lists it; uv, warm cache',
  async (installs) => {
    const tookMs = await installs.install();
    await installs.remove();
    return tookMs;
  },
);
