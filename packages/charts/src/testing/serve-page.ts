import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'

/** Serves the page that shows every fixture in ChartHost; the address, and how to stop. */
export async function servePage(): Promise<{ url: string; close: () => Promise<void> }> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'parquetry-charts-'))
  const root = fileURLToPath(new URL('../views/page', import.meta.url))
  const server = await createServer({
    root,
    configFile: false,
    cacheDir,
    logLevel: 'error',
    plugins: [react()],
    server: {
      port: 0,
      host: '127.0.0.1',
      fs: { allow: [fileURLToPath(new URL('../../../..', import.meta.url))] },
      hmr: false,
      watch: null,
    },
    optimizeDeps: {
      include: [
        'react',
        'react-dom',
        'react-dom/client',
        'react/jsx-runtime',
        'react/jsx-dev-runtime',
        'react-intl',
        '@tanstack/react-virtual',
        'echarts/core',
        'echarts/charts',
        'echarts/components',
        'echarts/features',
        'echarts/renderers',
        '@handlebars/parser',
        'd3-format',
        'd3-time-format',
        'typebox',
      ],
    },
  })
  await server.listen()
  const url = server.resolvedUrls?.local[0] ?? ''
  return {
    url,
    close: async () => {
      await server.close()
      rmSync(cacheDir, { recursive: true, force: true })
    },
  }
}
