import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, chmodSync, chownSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** A Chromium for the browser tests: the one that is named, then the usual places. */
export function findBrowser(): string | undefined {
  const named = process.env['PARQUETRY_TEST_BROWSER']
  if (named) return existsSync(named) ? named : undefined
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const mac = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return names.map(onPath).find(Boolean) ?? mac.find((path) => existsSync(path))
}

/** Folder of the PostgreSQL server programs: on the path, or Debian's, newest first. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) {
    const newest = readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    const folder = newest
      .map((version) => join(debian, version, 'bin'))
      .find((path) => existsSync(join(path, 'initdb')))
    if (folder) return folder
  }
  const initdb = onPath('initdb')
  return initdb && join(initdb, '..')
}

/** By apt, as root on Debian, and only when asked: `--install` or CI. */
export function install(packages: string[]): void {
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get')) return
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status === 0
  if (!apt('update')) process.stderr.write('apt-get update failed; trying with the lists as they are\n')
  apt('install', '-y', '--no-install-recommends', ...packages)
}

export interface TestPostgres {
  url: string
  stop(): void
}

/** A PostgreSQL of our own in a temporary folder: UTC, sorted by bytes, gone after the run. It refuses to run as root, so root lends it to `postgres`. */
export function startPostgres(bin: string): TestPostgres {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-postgres-'))
  const asRoot = userInfo().uid === 0
  const call = (program: string, args: string[]): void => {
    const path = join(bin, program)
    const done = asRoot
      ? spawnSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', path, ...args], {
          encoding: 'utf8',
          cwd: folder,
        })
      : spawnSync(path, args, { encoding: 'utf8', cwd: folder })
    if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}${done.stdout}`)
  }
  if (asRoot) {
    const postgres = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' })
    chownSync(folder, Number(postgres.stdout), 0)
    chmodSync(folder, 0o755)
  }
  const data = join(folder, 'data')
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  call('initdb', ['-D', data, '--locale=C.UTF-8', '-E', 'UTF8', '-A', 'trust', '-U', 'lab'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c timezone=UTC -c fsync=off -c max_connections=200`
  call('pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start'])
  call('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'lab', 'lab'])
  return {
    url: `postgresql://lab:lab@127.0.0.1:${port}/lab`,
    stop() {
      call('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
