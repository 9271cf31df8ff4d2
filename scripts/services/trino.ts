import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachePath } from './cache.ts'
import { findJava, installJava } from './java.ts'
import { findProgram, freePort } from './program.ts'
import type { Service } from './service.ts'

const version = '476'
const minJava = 24
const folder = cachePath(`trino-${version}`)
const plugins = ['memory', 'tpch']

const call = (program: string, args: string[], cwd: string): boolean =>
  spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] }).status === 0

/** Uses Python because a Java runtime has no `jar`. */
const unpackZip = (zip: string, into: string): boolean => call('python3', ['-m', 'zipfile', '-e', zip, into], into)

/** Downloads the server and its plugins from Maven Central into a temporary folder, which is renamed when it is complete. */
function installServer(): void {
  const mvn = findProgram('mvn')
  if (!mvn) return
  mkdirSync(cachePath('.'), { recursive: true })
  const unpacked = mkdtempSync(cachePath('trino-'))
  const download = (artifact: string) =>
    call(
      mvn,
      ['-q', '-B', 'dependency:copy', `-Dartifact=io.trino:${artifact}`, `-DoutputDirectory=${unpacked}`],
      unpacked,
    )
  try {
    const server = join(unpacked, `trino-server-core-${version}`)
    const isDone =
      download(`trino-server-core:${version}:tar.gz`) &&
      plugins.every((name) => download(`trino-${name}:${version}:zip`)) &&
      call('tar', ['xzf', `trino-server-core-${version}.tar.gz`], unpacked) &&
      plugins.every((name) => unpackZip(join(unpacked, `trino-${name}-${version}.zip`), join(server, 'plugin')))
    if (isDone) renameSync(server, folder)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

function install(): void {
  if (!findJava(minJava)) installJava()
  if (!existsSync(folder)) installServer()
}

/** True if Java has the vector module, which makes Trino faster. The runtime from PyPI does not have it. */
const hasVectors = (java: string): boolean =>
  readFileSync(join(java, 'release'), 'utf8').includes('jdk.incubator.vector')

/** Most CPU time of a small query is for its plan and its tasks, so everything that serves large ones is off. */
const settings = (port: number) => `coordinator=true
node-scheduler.include-coordinator=true
http-server.http.port=${port}
discovery.uri=http://127.0.0.1:${port}
catalog.management=static
query.max-memory=400MB
enable-dynamic-filtering=false
optimizer.join-reordering-strategy=NONE
task.concurrency=1
http-server.log.enabled=false
`

/** Takes ten seconds and 750 MB to start, so it starts in the background while other tests run. Its tests wait until it is ready. */
export const trino: Service = {
  title: 'Trino',
  variable: 'PARQUETRY_TEST_TRINO',
  packages: ['maven', 'python3', 'python3-venv'],
  isOptional: true,
  onlyFor: [
    'packages/engines/src/trino/trino.test.ts',
    'apps/server/src/runners/engines-guard.test.ts',
    'apps/server/src/sqllab/catalogs.test.ts',
    'apps/server/src/sqllab/hostile-engines.test.ts',
    'apps/server/src/sqllab/impersonation.test.ts',
    'apps/server/src/chart/hostile-rules.test.ts',
    'apps/server/src/row-level-security/random-rules.test.ts',
    'apps/server/src/templates/partitions.test.ts',
  ],
  install,
  find: () => (existsSync(folder) ? findJava(minJava) : undefined),
  async start(java) {
    const data = mkdtempSync(join(tmpdir(), 'parquetry-trino-'))
    const catalogs = join(data, 'catalog')
    const port = await freePort()
    mkdirSync(catalogs)
    for (const name of plugins) writeFileSync(join(catalogs, `${name}.properties`), `connector.name=${name}\n`)
    writeFileSync(join(data, 'config.properties'), settings(port))
    const options = {
      'node.environment': 'test',
      'node.id': 'test',
      'node.data-dir': data,
      config: join(data, 'config.properties'),
      'catalog.config-dir': catalogs,
      'plugin.dir': join(folder, 'plugin'),
      'log.console-format': 'TEXT',
    }
    const running = spawn(
      join(java, 'bin', 'java'),
      [
        '-Xmx1G',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        // Otherwise each growth of these areas is preceded by a full collection.
        '-Xms1G',
        '-XX:MetaspaceSize=256m',
        '-XX:ReservedCodeCacheSize=256m',
        '-XX:-UseCodeCacheFlushing',
        ...(hasVectors(java) ? ['--add-modules=jdk.incubator.vector'] : []),
        ...Object.entries(options).map(([name, value]) => `-D${name}=${value}`),
        '-cp',
        join(folder, 'lib', '*'),
        'io.trino.server.TrinoServer',
      ],
      { stdio: 'ignore', cwd: data },
    )
    return {
      url: `trino://lab@127.0.0.1:${port}/memory/default`,
      stop() {
        running.kill('SIGKILL')
        rmSync(data, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
