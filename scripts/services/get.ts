// `node scripts/services/get.ts`: the browser and every server that tests ask, as `npm test -- --install` gets them.
import { findBrowser, headlessShell } from './browser.ts'
import { install } from './install.ts'
import { findProgram } from './program.ts'
import type { Service } from './service.ts'
import { services } from './services.ts'

const isNamed = (variable: string): boolean => Boolean(process.env[variable])

/** Installs what is neither here nor named by its environment variable. */
export function getServices(asked: readonly Service[]): void {
  const lacking = asked.filter(({ variable, find }) => !isNamed(variable) && !find())
  const packages = lacking.flatMap((service) => service.packages)
  if (!isNamed('PARQUETRY_TEST_BROWSER') && !findProgram(headlessShell)) packages.push(headlessShell)
  if (packages.length) install(packages)
  // Older releases of Debian have no browser without windows.
  if (!findBrowser()) install(['chromium'])
  for (const service of lacking) service.install?.()
}

if (import.meta.main) getServices(services)
