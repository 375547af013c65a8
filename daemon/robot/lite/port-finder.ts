import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Hardware } from './hardware.ts';

/** Finds the ports of plugged-in robots. Cheap enough to be called four times a second. */
export type FindPorts = () => Promise<readonly string[]>;

interface PortFinderOptions {
  readonly usb: Hardware['usb'];
  /** The port to use without checking its USB ids; null: the ports with the USB ids. */
  readonly fixedPath: string | null;
  readonly platform: NodeJS.Platform;
}

export function portFinder({ usb, fixedPath, platform }: PortFinderOptions): FindPorts {
  if (fixedPath !== null) return async () => [fixedPath];
  return platform === 'linux' ? () => linuxUsbPorts(usb, '/sys') : () => listedUsbPorts(usb);
}

/** Terminals on USB: `ttyACM0`, `ttyUSB0`, `ttyCH343USB0`; not consoles (`tty1`) and lines on the board (`ttyS0`). */
const USB_TERMINAL = /^tty[A-Z]{2}/;
/** Levels from a terminal up to the USB device: its interface, for some drivers a port of it, then the device. */
const MOST_FOLDERS_UP = 3;

/**
 * Reads the kernel's list of terminals. The library would start a program for that, and crash the process where that
 * program is missing.
 */
export async function linuxUsbPorts(usb: Hardware['usb'], sysFolder: string): Promise<readonly string[]> {
  const folder = path.join(sysFolder, 'class/tty');
  const terminals = (await readdir(folder).catch(() => [])).filter((name) => USB_TERMINAL.test(name));
  const ports = await Promise.all(
    terminals.map(async (name) => ((await isOn(path.join(folder, name, 'device'), usb)) ? `/dev/${name}` : null)),
  );
  return ports.filter((port) => port !== null).sort();
}

async function isOn(terminalDevice: string, { vendorId, productId }: Hardware['usb']): Promise<boolean> {
  try {
    let folder = await realpath(terminalDevice);
    for (let up = 0; up <= MOST_FOLDERS_UP; up++) {
      const vendor = await trimmed(path.join(folder, 'idVendor'));
      if (vendor !== undefined)
        return vendor === vendorId && (await trimmed(path.join(folder, 'idProduct'))) === productId;
      folder = path.dirname(folder);
    }
  } catch {
    // unplugged meanwhile
  }
  return false;
}

const trimmed = async (file: string) => (await readFile(file, 'utf8').catch(() => null))?.trim();

async function listedUsbPorts({ vendorId, productId }: Hardware['usb']): Promise<readonly string[]> {
  const { SerialPort } = await import('serialport');
  const isRobot = (id: string | undefined, wanted: string) => id?.toLowerCase() === wanted;
  const ports = await SerialPort.list();
  return ports
    .filter((port) => isRobot(port.vendorId, vendorId) && isRobot(port.productId, productId))
    .map((port) => port.path);
}
