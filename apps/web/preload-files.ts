import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/**
 * Modules that a page needs before it can show anything, by page. The server lists their files in the page, so that they load in
 * parallel.
 */
const modules: Record<string, readonly string[]> = {
  dashboard: [
    './src/dashboard/view/DashboardPage.tsx',
    '../../packages/charts/src/views/echarts/engine.ts',
    '../../packages/charts/src/line/chart.ts',
  ],
}

/** File that the server reads in the build folder: page -> files beside those listed in `index.html`. */
const fileName = 'first-files.json'

/** Writes the list of files that contain the first modules of each page. */
export const preloadFiles = (): Plugin => ({
  name: 'parquetry-first-files',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const known = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
    const filesOf = (starts: readonly Rolldown.OutputChunk[]): Set<string> => {
      const files = new Set<string>()
      const walk = (chunk: Rolldown.OutputChunk | undefined): void => {
        if (!chunk || files.has(chunk.fileName)) return
        files.add(chunk.fileName)
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
        for (const name of chunk.imports) walk(known.get(name))
      }
      starts.forEach(walk)
      return files
    }
    const first = filesOf(chunks.filter(({ isEntry }) => isEntry))
    const pages = Object.entries(modules).map(([page, paths]) => {
      const starts = paths.map((path) => {
        const id = fileURLToPath(new URL(path, import.meta.url))
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`No file of the build holds ${path}.`)
        return chunk
      })
      return [page, [...filesOf(starts)].filter((file) => !first.has(file))] as const
    })
    this.emitFile({ type: 'asset', fileName, source: JSON.stringify(Object.fromEntries(pages)) })
  },
})
