import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Installs Debian packages. Does nothing on other systems, or without root. */
export function install(packages: readonly string[]): void {
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get')) return
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status === 0
  process.stderr.write(`Installing ${packages.join(', ')}...\n`)
  if (!apt('update')) process.stderr.write('apt-get update failed. Continuing with the existing package lists.\n')
  apt('install', '-y', '-q', '--no-install-recommends', ...packages)
}
