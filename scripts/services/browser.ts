import { existsSync } from 'node:fs'
import { install as installPackages } from './install.ts'
import { findProgram } from './program.ts'
import type { Tool } from './tool.ts'

/** The same engine as Chromium, without a user interface. Browser tests need 30 % less CPU time with it. Available since Debian 12. */
const headlessShell = 'chromium-headless-shell'

/** Finds a Chromium for the browser tests: the one of PARQUETRY_TEST_BROWSER, or else an installed one. */
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
  // Older releases of Debian have no chromium-headless-shell.
  install: () => void (findBrowser() ?? installPackages(['chromium'])),
  find: findBrowser,
}

/** Launch options for tests: no network requests by the browser itself. */
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
