import { existsSync } from 'node:fs'
import { findProgram } from './program.ts'

/** Chromium without its windows: the same engine, and the journeys take 30 % less of the processor. A package of Debian. */
export const headlessShell = 'chromium-headless-shell'

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
