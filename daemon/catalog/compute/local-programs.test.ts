import { expect, test } from 'vitest';
import { type LocalLimits, offersWithLimits, withLocalLimits } from './local-programs.ts';
import { cpuOffer, gpuOffer } from './this-machine.ts';

const noContainers = { containers: 'No engine.', containerGpu: 'No engine.', images: new Set<string>() };
const host = { cpus: 8, cpuModel: 'Some CPU', totalBytes: 24e9, availableBytes: 24e9 };

test('the offers of this machine say what its programs lack; those of others stay', () => {
  const [cpu, gpu] = [cpuOffer(host), gpuOffer(host, [{ name: 'One', totalBytes: 20e9, freeBytes: 19e9 }])];
  const other = { ...cpu, id: 'other', vendor: 'gcp' };
  expect(
    withLocalLimits([cpu, gpu, other], { cpu: null, gpu: 'No.', vision: 'Blind.', canInstall: true, ...noContainers }),
  ).toEqual([
    { ...cpu, lacks: { engine: null, vision: 'Blind.', canInstall: true } },
    { ...gpu, lacks: { engine: 'No.', vision: 'Blind.', canInstall: false } },
    other,
  ]);
});

test('the offers stay the same array until the limits change', async () => {
  let limits: LocalLimits = { cpu: 'None.', gpu: null, vision: null, canInstall: false, ...noContainers };
  const offers = offersWithLimits(
    async () => [cpuOffer(host)],
    async () => limits,
  );
  const before = await offers();
  expect(await offers()).toBe(before);
  limits = { ...limits, cpu: null };
  expect((await offers()).map(({ lacks }) => lacks)).toEqual([{ engine: null, vision: null, canInstall: false }]);
  expect(before.map(({ lacks }) => lacks)).toEqual([{ engine: 'None.', vision: null, canInstall: false }]);
});
