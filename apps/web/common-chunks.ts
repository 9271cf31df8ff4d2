import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const charts = fileURLToPath(new URL('../../packages/charts/src/', import.meta.url))

/**
 * Parts that most dashboards use, by file of the build: one request each instead of one for every chart type and series kind.
 * Canvas drawing is a separate file, since the forms of charts are read without it.
 */
const files: Record<string, readonly string[]> = {
  'usual-charts': [
    'area/chart.ts',
    'bar/chart.ts',
    'big-number/chart.ts',
    'big-number/View.tsx',
    'big-number-total/chart.ts',
    'big-number-total/View.tsx',
    'line/chart.ts',
    'pie/chart.ts',
    'table/chart.ts',
    'table/View.tsx',
  ],
  'usual-plots': [
    'resolve/families/bar/family.ts',
    'resolve/families/line/family.ts',
    'resolve/families/pie/family.ts',
    'views/echarts/engine.ts',
  ],
}

const chunkByPath = new Map(
  Object.entries(files).flatMap(([file, paths]) => paths.map((path) => [path, file] as const)),
)

/** Returns the module that contains a part of the charts in a build: a combined one, or its own. */
export function resolveChunkModule(path: string): string {
  const file = chunkByPath.get(path)
  return file ? `${file}.ts` : path
}

const toExportName = (path: string): string => path.replace(/\W/g, '_')

const reached = new Set<string>()

/** True if the usual plots import a module, once a build has read them all. */
export const isInCommonPlots = (id: string): boolean => reached.has(id)

/** Builds each of `files` from a module that re-exports all its parts, and redirects imports of a part to it. */
export const commonChunks = (): Plugin => ({
  name: 'parquetry-usual-parts',
  enforce: 'pre',
  apply: 'build',
  resolveId: (id) => (Object.hasOwn(files, id) ? `${charts}${id}.ts` : null),
  buildEnd() {
    reached.clear()
    const walk = (id: string): void => {
      if (reached.has(id)) return
      reached.add(id)
      this.getModuleInfo(id)?.importedIds.forEach(walk)
    }
    walk(`${charts}usual-plots.ts`)
  },
  load: {
    filter: { id: /usual-(charts|plots)\.ts$/ },
    handler: (id) =>
      files[relative(charts, id).replace('.ts', '')]
        ?.map((path) => `export * as ${toExportName(path)} from './${path}'\n`)
        .join(''),
  },
  transform: {
    filter: { code: /import\('\.\.?\/[^']+\.tsx?'\)/ },
    handler: (code, id) =>
      code.replace(/import\('(\.\.?\/[^']+)'\)/g, (whole, to: string) => {
        const path = relative(charts, join(dirname(id), to))
        const file = chunkByPath.get(path)
        return file ? `import(${JSON.stringify(file)}).then((parts) => parts.${toExportName(path)})` : whole
      }),
  },
})
