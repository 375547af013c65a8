import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The AWS Neuron accelerators of this machine, such as `/dev/neuron0`. @param devFolder `/dev` */
export async function neuronDevices(devFolder: string): Promise<string[]> {
  const names = await readdir(devFolder).catch((): string[] => []);
  return names.filter((name) => /^neuron\d+$/.test(name)).map((name) => join(devFolder, name));
}
