import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'

/** Finds a program in PATH or in one of the folders. */
export const findProgram = (name: string, ...folders: string[]): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const usedPorts = new Set<number>()

/** Returns a free port that this process has not returned before. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  if (usedPorts.has(port)) return freePort()
  usedPorts.add(port)
  return port
}
