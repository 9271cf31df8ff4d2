import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runProgram } from '../clients/run-program.ts'
import { freePort } from '../services/program.ts'
import { installMissing } from '../services/install-missing.ts'
import { createAdminApi, type Api } from './api.ts'
import { supersetTool, type Release } from './releases.ts'

/** A Superset in a new, empty folder, with the administrator admin / admin. */
export interface Superset {
  release: Release
  /** Its folder, from which relative paths of SQLite files are read. */
  home: string
  url: string
  api: Api
  /** The end of its log. */
  log(): string
  /** Runs a Python script in its environment. @returns the standard output */
  runPython(script: string): Promise<string>
  stop(): Promise<void>
}

const startSeconds = 180

/** Installs the release when it is missing, creates its metadata and starts it on a free port of the loopback interface. */
export async function startSuperset(release: Release): Promise<Superset> {
  const tool = supersetTool(release)
  installMissing([tool])
  const program = (tool.variable && process.env[tool.variable]) || tool.find()
  if (!program) throw new Error(`${tool.title} could not be installed. See the output above.`)
  const home = mkdtempSync(join(tmpdir(), 'parquetry-superset-'))
  const env = {
    SUPERSET_HOME: home,
    SUPERSET_CONFIG_PATH: join(import.meta.dirname, 'superset_config.py'),
    FLASK_APP: 'superset',
  }
  const run = (...args: string[]) => runProgram(program, args, { cwd: home, env, seconds: startSeconds })
  await run('db', 'upgrade')
  const names = ['--username', 'admin', '--firstname', 'Ada', '--lastname', 'Admin', '--email', 'ada@example.org']
  await run('fab', 'create-admin', ...names, '--password', 'admin')
  await run('init')
  const port = await freePort()
  const child = spawn(program, ['run', '--host', '127.0.0.1', '--port', String(port)], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)))
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child, () => log)
  return {
    release,
    home,
    url,
    api: await createAdminApi(url),
    log: () => log.slice(-3000),
    runPython: (script) =>
      runProgram(join(dirname(program), 'python'), ['-'], { cwd: home, env, input: script, seconds: startSeconds }),
    stop: async () => {
      await stopProcess(child)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (let second = 0; second < startSeconds; second++) {
    if (child.exitCode !== null) throw new Error(`Superset ended with ${child.exitCode}:\n${log()}`)
    const isReady = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await setTimeout(1000)
  }
  throw new Error(`Superset did not start within ${startSeconds} s:\n${log()}`)
}

function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
