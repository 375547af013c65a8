import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linuxUsbPorts, portFinder } from './port-finder.ts';

const usb = { vendorId: '1a86', productId: '55d3' };
let sys: string;

beforeEach(async () => {
  sys = await mkdtemp(path.join(tmpdir(), 'sys-'));
  await mkdir(path.join(sys, 'class/tty'), { recursive: true });
});
afterEach(() => rm(sys, { recursive: true }));

/** A terminal whose device is in `folder`, below a USB device with these ids. */
async function plugIn(name: string, usbDevice: string, ids: string, folder: string): Promise<void> {
  const device = path.join(sys, 'devices/pci0000:00/usb1', usbDevice);
  await mkdir(path.join(device, folder), { recursive: true });
  const [vendor, product] = ids.split(':');
  await writeFile(path.join(device, 'idVendor'), `${vendor}\n`);
  await writeFile(path.join(device, 'idProduct'), `${product}\n`);
  const terminal = path.join(device, folder, 'tty', name);
  await mkdir(terminal, { recursive: true });
  await symlink(path.join(device, folder), path.join(terminal, 'device'));
  await symlink(terminal, path.join(sys, 'class/tty', name));
}

test('a robot is found by its USB ids, with any driver', async () => {
  await plugIn('ttyACM1', '1-2', '1a86:55d3', '1-2:1.0');
  await plugIn('ttyUSB0', '1-3', '1a86:55d3', '1-3:1.0/ttyUSB0'); // this driver has a folder a port
  await plugIn('ttyCH343USB0', '1-4', '1a86:55d3', '1-4:1.0');
  expect(await linuxUsbPorts(usb, sys)).toEqual(['/dev/ttyACM1', '/dev/ttyCH343USB0', '/dev/ttyUSB0']);
});

test('other terminals are ignored: other USB devices, a hub above, consoles and lines on the board', async () => {
  await plugIn('ttyACM0', '1-1', '2341:0043', '1-1:1.0');
  await plugIn('ttyACM2', '1-6', '1a86:7523', '1-6:1.0');
  await plugIn('ttyS0', '1-7', '1a86:55d3', '1-7:1.0');
  await writeFile(path.join(sys, 'devices/pci0000:00/usb1/idVendor'), '1a86\n');
  await writeFile(path.join(sys, 'devices/pci0000:00/usb1/idProduct'), '55d3\n');
  await mkdir(path.join(sys, 'class/tty/tty1'));
  await mkdir(path.join(sys, 'class/tty/ttyAMA0'));
  expect(await linuxUsbPorts(usb, sys)).toEqual([]);
});

test('a device that disappears during the search is ignored', async () => {
  await plugIn('ttyACM0', '1-1', '1a86:55d3', '1-1:1.0');
  await rm(path.join(sys, 'devices'), { recursive: true });
  expect(await linuxUsbPorts(usb, sys)).toEqual([]);
});

test('a system without terminals has no port', async () => {
  expect(await linuxUsbPorts(usb, path.join(sys, 'nowhere'))).toEqual([]);
});

test('a configured port is used without a search', async () => {
  const findPorts = portFinder({ usb, fixedPath: '/dev/ttyAMA3', platform: 'linux' });
  expect(await findPorts()).toEqual(['/dev/ttyAMA3']);
});
