import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, freePort } from './program.ts'
import type { Service } from './service.ts'

const readyMs = 60_000

/** Tests of MySQL and MariaDB use this server. Root starts it as the user `mysql`. */
export const mariadb: Service = {
  title: 'MariaDB',
  variable: 'PARQUETRY_TEST_MYSQL',
  packages: ['mariadb-server'],
  find: () => findProgram('mariadbd', '/usr/sbin', '/usr/local/sbin'),
  async start(server) {
    const tool = (name: string) => findProgram(name, dirname(server), '/usr/bin') ?? name
    const folder = mkdtempSync(join(tmpdir(), 'parquetry-mariadb-'))
    const asRoot = userInfo().uid === 0
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    if (asRoot) {
      const { stdout } = spawnSync('id', ['-u', 'mysql'], { encoding: 'utf8' })
      for (const path of [folder, temporary]) chownSync(path, Number(stdout), 0)
      chmodSync(folder, 0o755)
    }
    const port = await freePort()
    const socket = join(folder, 'socket')
    // A server that starts deletes the temporary tables of all others in its folder for them.
    const folders = [`--datadir=${join(folder, 'data')}`, `--tmpdir=${temporary}`]
    const data = ['--no-defaults', ...folders, ...(asRoot ? ['--user=mysql'] : [])]
    const call = (name: string, args: string[]) => {
      const { status, stderr, stdout } = spawnSync(tool(name), args, { encoding: 'utf8', cwd: folder })
      return { isDone: status === 0, output: `${stderr}${stdout}` }
    }
    const must = (name: string, args: string[]) => {
      const { isDone, output } = call(name, args)
      if (!isDone) throw new Error(`${name} failed: ${output}`)
    }
    must('mariadb-install-db', [...data, '--auth-root-authentication-method=normal', '--skip-test-db'])
    const options = [
      '--bind-address=127.0.0.1',
      '--default-time-zone=+00:00',
      '--character-set-server=utf8mb4',
      '--innodb-flush-log-at-trx-commit=0',
    ]
    const files = [`--port=${port}`, `--socket=${socket}`, `--log-error=${join(folder, 'log')}`]
    const running = spawn(server, [...data, ...options, ...files], { stdio: 'ignore', cwd: folder })
    const asAdmin = ['--no-defaults', `--socket=${socket}`, '--user=root']
    const end = performance.now() + readyMs
    while (!call('mariadb-admin', [...asAdmin, 'ping']).isDone) {
      if (performance.now() > end || running.exitCode !== null) throw new Error('MariaDB did not start')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const rights = `CREATE DATABASE lab; CREATE USER lab IDENTIFIED BY 'lab'; GRANT ALL ON *.* TO lab WITH GRANT OPTION`
    must('mariadb', [...asAdmin, '--execute', rights])
    return {
      url: `mysql://lab:lab@127.0.0.1:${port}/lab`,
      stop() {
        running.kill('SIGKILL')
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
