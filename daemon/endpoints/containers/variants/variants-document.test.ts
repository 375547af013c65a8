import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContainerImages } from '../container-images.ts';
import type { ContainerVariant, ModelInContainer, Passed, Setting, Variant } from './variant.ts';
import { variants } from './variants.ts';

const projectDir = join(import.meta.dirname, '../../../..');
const images = await readContainerImages(join(projectDir, 'assets/runtimes/container-images.json'));

const HEAD = `# How an endpoint becomes a container

Made from the tables in \`daemon/endpoints/containers/variants\` by \`npx vitest run --project unit variants-document -u\`.

An endpoint names how its model is served: its image has one key, the variant. \`hub\` and \`hubNeuron\` name no image, so only the hub
runs them. The others run here in Docker or Podman; llama.cpp also runs as a process of this machine.

| Field of the endpoint | In the container |
|---|---|
| \`model.image.<variant>.url\` | the image, such as \`ghcr.io/owner/name:1.0\`; \`engines/<engine>:<accelerator>\` is one of the table below |
| \`…port\` | the port that the engine listens on, published on 127.0.0.1; without it, the variant's |
| \`…healthRoute\` | the path that answers 200 once the model is ready; without it, \`/health\` |
| \`…credentials\` | of \`custom\`: the account of the image's registry |
| \`model.repository\`, \`revision\` | its files, mounted read-only at \`/repository\` |
| \`model.args\` | after those of the image's members: the last of two counts |
| \`model.command\` | replaces the image's entry point |
| \`model.env\`, \`secrets\` | variables; they win over those of the image's members |
| \`experimentalFeatures.skipRepoDownload\` | nothing is mounted: the engine gets the repository's name and downloads it itself; of \`llamacpp\`, the paths are files of this machine |

0 in a member with a number means the engine's default, like null, unless it says otherwise. What the daemon sets itself is refused in
\`args\`, \`env\` and \`secrets\`.
`;

test('the document about variants is that of the tables', async () => {
  const all = Object.entries(variants) as [ContainerVariant, Variant][];
  const text = [HEAD, imageTable(), ...all.map(([name, variant]) => section(name, variant))].join('\n');
  await expect(text).toMatchFileSnapshot(join(projectDir, 'docs/endpoint-variants.md'));
});

function imageTable(): string {
  const rows = [...images].map(([engine, { image, note }]) => [
    code(`engines/${engine}`),
    image ? code(image) : '–',
    note,
  ]);
  return `## Images\n\n${table(['url', 'Image', 'Seen'], rows)}`;
}

function section(name: ContainerVariant, variant: Variant): string {
  const rows: string[][] = [
    ['the model', ...both(variant.model(model), 'nothing')],
    ...Object.entries(variant.settings).map(([member, setting]) => [code(member), settingText(setting)]),
    ['the address', ...both(variant.address(variant.port), 'the image’s own')],
    ['set by the daemon', ...both(variant.defaults({ threads: 3, isProcessor: false }), 'nothing')],
  ];
  const reserved = [...Object.keys(variant.reservedArguments), ...Object.keys(variant.reservedVariables)];
  const facts = [
    `Read in ${variant.source}. Port ${variant.port}.`,
    variant.command === null ? 'The image’s own entry point.' : `Runs ${code(variant.command.join(' '))}.`,
    ...(variant.sharedMemoryBytes === null ? [] : [`Shared memory: ${variant.sharedMemoryBytes / 1024 ** 3} GiB.`]),
    ...(reserved.length === 0 ? [] : [`Refused: ${reserved.map(code).join(', ')}.`]),
  ];
  return `## ${name}: ${variant.label}\n\n${facts.join(' ')}\n\n${table(['Member', 'In the container'], rows)}`;
}

const model: ModelInContainer = {
  ...{ path: '/repository', mmprojPath: null, draftPath: null },
  ...{ repository: 'owner/name', revision: null, task: 'text-generation' },
};

function both({ args = [], environment = {} }: Passed, none: string): [string] {
  const variables = Object.entries(environment).map(([name, value]) => code(`${name}=${value}`));
  return [[...(args.length === 0 ? [] : [code(args.join(' '))]), ...variables].join(', ') || none];
}

function settingText({ to, flags, values, environment, hasZero, note }: Setting): string {
  const written = Object.entries(values ?? {}).map(([from, word]) => `${code(from)} is written ${code(word)}`);
  const parts = [
    ...(to === null ? [] : [code(to)]),
    ...Object.entries(flags ?? {}).map(([value, flag]) => `${code(value)}: ${code(flag)}`),
    ...written,
    ...Object.entries(environment ?? {}).map(([name, value]) => code(`${name}=${value}`)),
    ...(hasZero ? ['0 is passed on'] : []),
    ...(note === undefined ? [] : [note]),
  ];
  return parts.join('; ');
}

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
    .concat('\n');
}
