import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const everyFixture = new URL('../views/page', import.meta.url)

/**
 * Serves a bundled page; returns its address and a function that stops it. The default page shows every fixture in ChartHost,
 * with the warnings of React.
 * @param page folder of its `index.html`; built for production
 */
export async function servePage(page?: URL): Promise<{ url: string; close: () => Promise<void> }> {
  const built = await build({
    root: fileURLToPath(page ?? everyFixture),
    configFile: false,
    mode: page ? 'production' : 'development',
    logLevel: 'error',
    plugins: [react()],
    build: { write: false, minify: page !== undefined, reportCompressedSize: false, modulePreload: false },
  })
  const files = new Map(
    (built as Rolldown.RolldownOutput).output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ]),
  )
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://page')
    const path = pathname === '/' ? '/index.html' : pathname
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
    if (!files.has(path)) response.statusCode = 404
    response.end(files.get(path))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
