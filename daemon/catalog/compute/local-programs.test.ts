import { expect, test } from 'vitest';
import { withLocalLimits } from './local-programs.ts';
import { cpuOffer, gpuOffer } from './this-machine.ts';

const host = { cpus: 8, cpuModel: 'Some CPU', totalBytes: 24e9, availableBytes: 24e9 };

test('the offers of this machine say what its programs lack; those of others stay', () => {
  const [cpu, gpu] = [cpuOffer(host), gpuOffer(host, [{ name: 'One', totalBytes: 20e9, freeBytes: 19e9 }])];
  const other = { ...cpu, id: 'other', vendor: 'gcp' };
  expect(withLocalLimits([cpu, gpu, other], { cpu: null, gpu: 'No.', vision: 'Blind.' })).toEqual([
    { ...cpu, lacks: { engine: null, vision: 'Blind.' } },
    { ...gpu, lacks: { engine: 'No.', vision: 'Blind.' } },
    other,
  ]);
});
