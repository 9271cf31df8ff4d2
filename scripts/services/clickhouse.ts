import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cachePath } from './cache.ts'
import { freePort } from './program.ts'
import type { Service } from './service.ts'

const version = '3.4.0'
const folder = cachePath(`chdb-${version}`)

/** Installs chdb (500 MB) into a temporary folder, which is renamed when it is complete. */
function install(): void {
  mkdirSync(cachePath('.'), { recursive: true })
  const unpacked = mkdtempSync(cachePath('chdb-'))
  const args = ['install', '--prefix', unpacked, '--no-audit', '--no-fund', '--ignore-scripts', `chdb@${version}`]
  const { status } = spawnSync('npm', args, { cwd: unpacked, stdio: ['ignore', 2, 2] })
  if (status === 0) renameSync(unpacked, folder)
  else rmSync(unpacked, { recursive: true, force: true })
}

/** ClickHouse as a library behind its HTTP interface. This is the only build that a package registry provides. */
export const clickhouse: Service = {
  title: 'ClickHouse',
  variable: 'PARQUETRY_TEST_CLICKHOUSE',
  packages: [],
  onlyFor: [
    'packages/engines/src/clickhouse/clickhouse.test.ts',
    'apps/server/src/runners/engines-guard.test.ts',
    'apps/server/src/sqllab/hostile-engines.test.ts',
    'apps/server/src/chart/hostile-rules.test.ts',
    'apps/server/src/chart/background.test.ts',
  ],
  install,
  find: () => (existsSync(folder) ? folder : undefined),
  async start(library) {
    const port = await freePort()
    const server = join(import.meta.dirname, 'clickhouse-server.ts')
    const running = spawn(process.execPath, [server, library, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] })
    await new Promise((resolve, reject) => {
      running.stdout.once('data', resolve)
      running.once('exit', () => reject(new Error('ClickHouse did not start')))
    })
    return {
      url: `clickhousedb://lab:lab@127.0.0.1:${port}/default`,
      stop: () => void running.kill('SIGTERM'),
    }
  },
}
