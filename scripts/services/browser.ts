import { existsSync } from 'node:fs'
import { install as installPackages } from './install.ts'
import { findProgram } from './program.ts'
import type { Tool } from './tool.ts'

/** Chromium without windows: the same engine, with which the journeys need 30 % less CPU time. A package of Debian 12 and newer. */
const headlessShell = 'chromium-headless-shell'

/** A Chromium for the browser tests: the one that is named, then the usual places. */
export function findBrowser(): string | undefined {
  const named = process.env['PARQUETRY_TEST_BROWSER']
  if (named) return existsSync(named) ? named : undefined
  const names = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const mac = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return names.map((name) => findProgram(name)).find(Boolean) ?? mac.find((path) => existsSync(path))
}

export const browser: Tool = {
  title: 'Chromium',
  variable: 'PARQUETRY_TEST_BROWSER',
  packages: [headlessShell],
  // Older releases of Debian have no package without windows.
  install: () => void (findBrowser() ?? installPackages(['chromium'])),
  find: findBrowser,
}

/** How tests launch it: without a window and without calls of its own to the network. */
export const browserOptions = (): { executablePath: string | undefined; args: string[] } => ({
  executablePath: findBrowser(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
})
