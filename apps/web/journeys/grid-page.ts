import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, preview, type InlineConfig } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Builds and serves a page that contains only a grid. */
export async function serveGridPage(): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'parquetry-grid-'))
  const shared: InlineConfig = { root, configFile: false, logLevel: 'error', plugins: [react()] }
  await build({
    ...shared,
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome140',
      rolldownOptions: { input: join(root, 'journeys/grid/index.html') },
    },
  })
  const server = await preview({ ...shared, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('the page of the grid has no address')
  return {
    url: `${url}journeys/grid/index.html`,
    close: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
