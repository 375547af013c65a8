import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';

test('the list that a release has of all that it is made of is complete, with checksums', async () => {
  const workflow = await readFile(join(projectDir, '.github', 'workflows', 'release.yml'), 'utf8');
  const [, args = ''] = /npm (sbom [^>]*) >/.exec(workflow) ?? [];
  const { stdout } = await execa('npm', args.split(' '), { cwd: projectDir });
  const { bomFormat, metadata, components } = JSON.parse(stdout) as {
    bomFormat: string;
    metadata: { component: { type: string; version: string } };
    components: { name: string; version: string; hashes?: { alg: string }[]; purl: string }[];
  };
  const manifest = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
  expect({ bomFormat, ...metadata.component }).toMatchObject({
    bomFormat: 'CycloneDX',
    type: 'application',
    version: manifest.version,
  });
  const listed = new Set(components.map(({ name }) => name));
  expect(Object.keys(manifest.dependencies).filter((name) => !listed.has(name))).toEqual([]);
  for (const { name, hashes, purl } of components) {
    expect.soft(purl, name).toMatch(/^pkg:npm\//);
    expect
      .soft(
        hashes?.map(({ alg }) => alg),
        name,
      )
      .toEqual(['SHA-512']);
  }
});
