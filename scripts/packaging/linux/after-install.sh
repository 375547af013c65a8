#!/bin/sh
# Runs after the files of a deb or rpm are installed or updated. electron-builder fills in the names in braces.
set -e
program='/opt/${sanitizedProductName}'

link() {
  # A command of another origin stays, such as that of "npm link".
  if [ -e "/usr/bin/$1" ] && [ "$(readlink "/usr/bin/$1")" != "$2" ]; then
    echo "/usr/bin/$1 exists already and is kept. The command of this package is $2."
  else
    ln -sf "$2" "/usr/bin/$1"
  fi
}
link '${executable}' "$program/${executable}"
link robot-daemon "$program/resources/bin/robot-daemon"
link robot-app-assistant "$program/resources/bin/robot-app-assistant"

# Chromium's sandbox needs this helper where users may not create namespaces; elsewhere it is not used.
if [ -e "$program/chrome-sandbox" ]; then chmod 4755 "$program/chrome-sandbox"; fi

# The rule for the robot's serial port takes effect, also for a robot that is connected already.
if command -v udevadm >/dev/null; then
  udevadm control --reload || true
  udevadm trigger --action=change --subsystem-match=tty || true
fi

# Ubuntu 24.04 and newer: the profile permits the sandbox. Older versions of AppArmor do not know it, nor need it.
profile="$program/resources/apparmor-profile"
if [ -e "$profile" ] && [ -d /etc/apparmor.d ] && command -v apparmor_parser >/dev/null; then
  if apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
    cp -f "$profile" '/etc/apparmor.d/${executable}'
    if apparmor_status --enabled >/dev/null 2>&1; then
      apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
    fi
  fi
fi

if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
