import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const charts = fileURLToPath(new URL('../../packages/charts/src/', import.meta.url))

/**
 * What most dashboards are made of, by the file of the build that holds it: one request each in place of one for every chart type
 * and kind of series. What draws on a canvas is a file of its own, since the forms of charts are read without it.
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

/** The module that a build has for a part of the charts: one for many, or its own. */
export function resolveChunkModule(path: string): string {
  const file = chunkByPath.get(path)
  return file ? `${file}.ts` : path
}

const toExportName = (path: string): string => path.replace(/\W/g, '_')

const reached = new Set<string>()

/** Whether the usual plots import a module, once a build has read them all. */
export const isInCommonPlots = (id: string): boolean => reached.has(id)

/** Each of `files` is made of a module that says all its parts again; who asks for one part asks for that. */
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
