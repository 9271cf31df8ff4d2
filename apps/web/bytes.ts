import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resolveChunkModule } from './common-chunks.ts'

/** Bytes that a page loads before it is shown, compressed with brotli. */
export interface PageBytes {
  page: string
  scriptBytes: number
  styleBytes: number
}

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

type Manifest = Record<string, Chunk>

/** Pages with their script budgets from `docs/design`: sign-in 150 KB, lists 200, SQL Lab 330, dashboard 400, Explore 450. */
const pages: Record<string, { source: string; budgetKb: number }> = {
  'sign-in': { source: 'src/sign-in/SignInPage.tsx', budgetKb: 150 },
  home: { source: 'src/home/HomePage.tsx', budgetKb: 200 },
  dashboards: { source: 'src/lists/dashboards/DashboardListPage.tsx', budgetKb: 200 },
  charts: { source: 'src/lists/charts/ChartListPage.tsx', budgetKb: 200 },
  datasets: { source: 'src/lists/datasets/DatasetListPage.tsx', budgetKb: 200 },
  databases: { source: 'src/lists/databases/DatabaseListPage.tsx', budgetKb: 200 },
  'SQL Lab': { source: 'src/sqllab/SqlLabPage.tsx', budgetKb: 330 },
  dashboard: { source: 'src/dashboard/view/DashboardPage.tsx', budgetKb: 400 },
  Explore: { source: 'src/explore/ExplorePage.tsx', budgetKb: 450 },
}

function collectFiles(manifest: Manifest, starts: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    chunk.imports?.forEach(walk)
  }
  starts.forEach(walk)
  return files
}

/**
 * Returns script and style bytes of each page from the manifest of a build, without charts, editors and dialogs that a page loads
 * later.
 * @param dist  folder of the built files
 */
export function measurePages(dist: string): (PageBytes & { budgetKb: number })[] {
  const manifest = readManifest(dist)
  return Object.entries(pages)
    .filter(([, { source }]) => manifest[source])
    .map(([page, { source, budgetKb }]) => {
      const files = [...collectFiles(manifest, ['index.html', source, 'style.css'])]
      const total = (end: string): number =>
        sum(files.filter((file) => file.endsWith(end)).map((file) => compressedSize(dist, file)))
      return { page, scriptBytes: total('.js'), styleBytes: total('.css'), budgetKb }
    })
}

/**
 * Returns the script bytes that each chart type needs beyond a page that draws charts, compressed with brotli: its code, its
 * series kinds, their parts of ECharts, its view. The page is Explore with the code that every canvas chart needs.
 */
export function measureCharts(
  dist: string,
  charts: readonly { viz_type: string; folder: string; kinds: readonly string[] }[],
): { viz_type: string; scriptBytes: number }[] {
  const manifest = readManifest(dist)
  const source = (path: string): string => `../../packages/charts/src/${resolveChunkModule(path)}`
  const core = collectFiles(manifest, ['index.html', 'src/explore/ExplorePage.tsx', source('views/echarts/engine.ts')])
  return charts.map(({ viz_type, folder, kinds }) => {
    const starts = [
      `${folder}/chart.ts`,
      `${folder}/View.tsx`,
      ...kinds.map((kind) => `resolve/families/${kind}/family.ts`),
    ]
    const files = [...collectFiles(manifest, starts.map(source))]
    const own = files.filter((file) => file.endsWith('.js') && !core.has(file))
    if (files.length === 0) throw new Error(`The build has no ${viz_type}.`)
    return { viz_type, scriptBytes: sum(own.map((file) => compressedSize(dist, file))) }
  })
}

const readManifest = (dist: string): Manifest =>
  JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest

function compressedSize(dist: string, file: string): number {
  const path = join(dist, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

if (import.meta.main) {
  const dist = process.argv[2] ?? fileURLToPath(new URL('./dist/', import.meta.url))
  const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(8)
  for (const { page, scriptBytes, styleBytes, budgetKb } of measurePages(dist))
    process.stdout.write(
      `${page.padEnd(12)} script ${kb(scriptBytes)} KB of ${budgetKb}   style ${kb(styleBytes)} KB\n`,
    )
}
