import { access, constants, readdir } from 'node:fs/promises';
import type { CardProblem, CardProblemKind } from '../contract/compute/graphics-cards.ts';
import { listText } from '../shared/list-text.ts';

/** Why no graphics card is used, and what to do. @param detail such as a signal or a file, as the kind needs it */
export function cardProblem(kind: CardProblemKind, detail = ''): CardProblem {
  return { kind, ...texts[kind](detail) };
}

type Text = (detail: string) => Omit<CardProblem, 'kind'>;

/** These are read on every page that shows the problem: the button is on one of them. */
const PLACE = 'under Models, This machine';
const TRY_AGAIN = `Update the graphics driver, then try the card again ${PLACE}.`;

/** Whether it has a card does not show there: each maker's driver brings the Vulkan loader. */
const NO_DRIVER_ON_WINDOWS: Omit<CardProblem, 'kind'> = {
  message: 'Models can use no graphics card: this machine has no driver with Vulkan.',
  action: "If it has a graphics card, install the newest driver of the card's maker.",
};

const texts: Readonly<Record<CardProblemKind, Text>> = {
  'no-card': () => ({
    message: 'This machine has no graphics card that models can use.',
    action: 'Choose the processor.',
  }),
  'no-such-card': (detail) => ({
    message: `There is no graphics card ${detail}.`,
    action: 'Change mainGpu of the endpoint.',
  }),
  'no-loader': () =>
    process.platform === 'win32'
      ? NO_DRIVER_ON_WINDOWS
      : {
          message: 'Models cannot use the graphics card: the Vulkan loader (libvulkan.so.1) is not installed.',
          action:
            'Install it: on Debian and Ubuntu by sudo apt install libvulkan1, on Fedora by sudo dnf install vulkan-loader.',
        },
  'no-driver': () =>
    process.platform === 'win32'
      ? NO_DRIVER_ON_WINDOWS
      : {
          message: 'Models cannot use the graphics card: no Vulkan driver for it is installed.',
          action:
            'Install it: for AMD and Intel by sudo apt install mesa-vulkan-drivers, for NVIDIA by its own driver.',
        },
  'no-access': (files) => ({
    message: `Models cannot use the graphics card: this user may not open ${files}.`,
    action: 'Run sudo usermod -aG render "$USER", then log out and in again.',
  }),
  'no-memory': (detail) => ({
    message: `The graphics card has too little free memory for the model.${detail && ` ${detail}`}`,
    action: 'Let other models on it sleep, close programs that use it, or deploy a smaller model or a shorter context.',
  }),
  'not-included': () => ({
    message: 'This installation comes without a program of its own that uses graphics cards.',
    action: `Install llama-server ${PLACE}.`,
  }),
  'driver-crashed': (signal) => ({
    message: `The graphics driver ended the program that used it (${signal}).`,
    action: TRY_AGAIN,
  }),
  'driver-silent': (within) => ({
    message: `The graphics driver did not answer within ${within}.`,
    action: `Restart the machine, then try the card again ${PLACE}.`,
  }),
  'driver-failed': (detail) => ({
    message: `The graphics driver could not be used.${detail && ` ${detail}`}`,
    action: TRY_AGAIN,
  }),
  'card-lost': () => ({
    message: 'The graphics card stopped answering: it was removed, reset or put to sleep.',
    action: `Check that the card is connected and awake, then try it again ${PLACE}.`,
  }),
  interrupted: (how) => ({
    message: `The search for graphics cards was interrupted: its program ${how}.`,
    action: `Try the card again ${PLACE}.`,
  }),
  'switched-off': () => ({
    message: 'The graphics card is switched off in Settings.',
    action: 'Switch it on under Settings, or choose the processor.',
  }),
};

/** Problems after which the card is left alone until someone tries it again. */
const leftAlone: ReadonlySet<CardProblemKind> = new Set([
  ...(['no-loader', 'no-driver', 'no-access'] as const),
  ...(['driver-crashed', 'driver-silent', 'driver-failed', 'card-lost', 'interrupted'] as const),
]);

/** The action for a terminal, which has no button to press. */
export function actionInTerminal({ kind, action }: CardProblem): string {
  return leftAlone.has(kind) ? `${action} To try it again: robot-daemon graphics-card try-again` : action;
}

/** The files of the kernel for the computing of graphics cards. */
const RENDER_NODE = /^renderD\d+$/;

/**
 * Why the driver's interface lists no card, by what the kernel of Linux has.
 * @param devDir the folder of devices
 * @returns null: this machine has no graphics card; `unknown`: the system does not tell
 */
export async function whyNoCard(
  devDir = '/dev',
  platform: NodeJS.Platform = process.platform,
): Promise<CardProblem | 'unknown' | null> {
  if (platform !== 'linux') return 'unknown';
  const dri = `${devDir}/dri`;
  const nodes = (await readdir(dri).catch(() => []))
    .filter((name) => RENDER_NODE.test(name))
    .map((name) => `${dri}/${name}`);
  const nvidia = (await readdir(devDir).catch(() => [])).some((name) => /^nvidia\d+$/.test(name));
  if (nodes.length === 0 && !nvidia) return null;
  const closed: string[] = [];
  for (const node of nodes) {
    const isOpen = await access(node, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isOpen) closed.push(node);
  }
  return closed.length > 0 && closed.length === nodes.length
    ? cardProblem('no-access', listText(closed))
    : cardProblem('no-driver');
}
