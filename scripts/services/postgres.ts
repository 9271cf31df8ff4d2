import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findProgram, freePort } from './program.ts'
import type { Service, TestServer } from './service.ts'

/** Finds the folder of the PostgreSQL server programs: the newest of Debian's packages, or the one in PATH. */
function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) {
    const newest = readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    const folder = newest
      .map((version) => join(debian, version, 'bin'))
      .find((path) => existsSync(join(path, 'initdb')))
    if (folder) return folder
  }
  const initdb = findProgram('initdb')
  return initdb && join(initdb, '..')
}

/** Starts a server with the C collation. PostgreSQL refuses to run as root, so root starts it as `postgres`. */
async function startPostgres(bin: string): Promise<TestServer> {
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
  const port = await freePort()
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

export const postgres: Service = {
  title: 'PostgreSQL',
  variable: 'PARQUETRY_TEST_POSTGRES',
  packages: ['postgresql'],
  find: findPostgres,
  start: startPostgres,
}
