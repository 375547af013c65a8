import { installFigure } from '../harness/sample-installs.ts';

/** How soon a sample app can be started. */
export const install = installFigure(
  'install',
  'from just before POST install of the sample hello_wave, not installed, to the event that lists it; uv, warm cache',
  async (installs) => {
    const tookMs = await installs.install();
    await installs.remove();
    return tookMs;
  },
);
