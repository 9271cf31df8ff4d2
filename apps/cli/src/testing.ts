import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

export interface ProgramRun {
  child: ChildProcess
  out: string
  err: string
  code: Promise<number | null>
}

type Environment = Record<string, string>

export const admin = { PARQUETRY_ADMIN_USERNAME: 'admin', PARQUETRY_ADMIN_PASSWORD: 'a long enough secret' }

/** Runs the program in child processes that share a home folder. `dispose` kills them and removes the folder. */
export class Program {
  readonly home = mkdtempSync(join(tmpdir(), 'parquetry-start-'))
  readonly #children = new Set<ChildProcess>()

  /** @param file  file descriptor for both outputs, like `>file 2>&1` in a shell; by default they are collected in `out` and `err` */
  run(args: string[], env: Environment = {}, file?: number): ProgramRun {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH,
        ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
        PARQUETRY_HOME: this.home,
        PARQUETRY_EXAMPLES: '0',
        ...env,
      },
      stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
    })
    this.#children.add(child)
    const started: ProgramRun = {
      child,
      out: '',
      err: '',
      code: once(child, 'close').then(([code]) => code as number | null),
    }
    child.stdout?.on('data', (data: Buffer) => (started.out += data.toString()))
    child.stderr?.on('data', (data: Buffer) => (started.err += data.toString()))
    return started
  }

  /** Runs a command and waits until it ends. */
  async runToEnd(args: string[], env: Environment = {}): Promise<{ code: number | null; out: string; err: string }> {
    const started = this.run(args, env)
    const code = await started.code
    return { code, out: started.out, err: started.err }
  }

  /** Starts the server and waits for its ready line. */
  async startServer(env: Environment = {}): Promise<ProgramRun & { url: string }> {
    const started = this.run(['start', '--port', '0'], env)
    for (;;) {
      const url = /^Parquetry is ready at (http:\/\/\S+)\n/m.exec(started.out)?.[1]
      if (url) return Object.assign(started, { url })
      const ended = await Promise.race([
        started.code.then(() => true),
        once(started.child.stdout as never, 'data').then(() => false),
      ])
      if (ended) throw new Error(`the server ended: ${started.err}`)
    }
  }

  dispose(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.home, { recursive: true, force: true })
  }
}

export async function signIn(
  url: string,
  username = 'admin',
  password = admin.PARQUETRY_ADMIN_PASSWORD,
): Promise<Response> {
  return fetch(`${url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, provider: 'db' }),
  })
}

interface Process {
  pid: number
  parent: number
}

/** The running processes of this machine, without zombies. */
function processes(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
}

export const listChildProcesses = (pid: number): number[] =>
  processes()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid)

export const filterRunning = (pids: readonly number[]): number[] => {
  const running = new Set(processes().map(({ pid }) => pid))
  return pids.filter((pid) => running.has(pid))
}
