import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'

/** By apt, as root on Debian, and only when asked: `--install` or CI. */
export function install(packages: string[]): void {
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get')) return
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status === 0
  if (!apt('update')) process.stderr.write('apt-get update failed; trying with the lists as they are\n')
  apt('install', '-y', '--no-install-recommends', ...packages)
}
