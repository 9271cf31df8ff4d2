import { existsSync } from 'node:fs'
import { findProgram } from './program.ts'

/** A Chromium for the browser tests: the one that is named, then the usual places. */
export function findBrowser(): string | undefined {
  const named = process.env['PARQUETRY_TEST_BROWSER']
  if (named) return existsSync(named) ? named : undefined
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const mac = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return names.map((name) => findProgram(name)).find(Boolean) ?? mac.find((path) => existsSync(path))
}
