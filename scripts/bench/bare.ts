import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface BareServer {
  url: string
  pid: number
  close(): void
}

/** Starts `bare-server.ts` with these bytes and waits until it listens. */
export async function startBareServer(body: Buffer): Promise<BareServer> {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-bare-'))
  const file = join(folder, 'body')
  writeFileSync(file, body)
  const program = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()))
    child.once('exit', () => reject(new Error('the bare server did not start')))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    close() {
      child.stdin.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
