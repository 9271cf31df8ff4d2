import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyChart } from '../../packages/charts/src/define.ts'
import { readDataRequirements } from '../../packages/charts/src/explore/data-requirements.ts'
import { formatCaption, listExamples } from '../../packages/charts/src/testing/examples.ts'
import { paths } from '../../packages/ui/src/icons/paths.ts'

const root = 'packages/charts/src'
const families = `${root}/resolve/families`
const head = '// Written by `npm run gen` from the folders beside it.\n'

/** Every folder with a `chart.ts`, by the key of its chart. */
export async function loadChartFolders(): Promise<{ folder: string; chart: AnyChart }[]> {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(`${root}/${entry.name}/chart.ts`))
    .map(({ name }) => name)
  const loaded = await Promise.all(
    folders.map(async (folder) => {
      const module = (await import(pathToFileURL(resolve(root, folder, 'chart.ts')).href)) as { default: AnyChart }
      return { folder, chart: module.default }
    }),
  )
  return loaded.toSorted((a, b) => (a.chart.viz_type < b.chart.viz_type ? -1 : 1))
}

/** The registry for all code, the one of React views and the one for drawing without a browser. */
export async function buildChartRegistries(): Promise<Map<string, string>> {
  const charts = await loadChartFolders()
  const loaders = (file: string, from: string) =>
    charts
      .filter(({ folder }) => existsSync(`${root}/${folder}/${file}`))
      .map(({ folder, chart }) => `  ${chart.viz_type}: () => import('${from}/${folder}/${file}'),\n`)
      .join('')
  return new Map([
    [
      `${root}/registry.gen.ts`,
      `${head}import type { ChartEntry } from './registry.ts'\n\nexport const entries: readonly ChartEntry[] = [\n${charts.map(formatEntry).join('')}]\n`,
    ],
    [
      `${root}/icons.gen.ts`,
      `${head}/** Of chart types: names of the icon set, or path data. Apart from the registry, since no dashboard shows them. */\nexport const chartIcons: Record<string, string> = {\n${charts.map(({ folder, chart }) => `  ${chart.viz_type}: ${JSON.stringify(checkIcon(folder, chart.icon))},\n`).join('')}}\n`,
    ],
    [
      `${root}/gallery.gen.ts`,
      `${head}import type { GalleryFacts } from './gallery.ts'\n\nexport const facts: Record<string, GalleryFacts> = {\n${charts.map(formatGalleryEntry).join('')}}\n`,
    ],
    [
      `${root}/views/views.gen.ts`,
      `${head}import type { ViewModule } from './view.ts'\n\n/** Charts that draw themselves. */\nexport const views: Record<string, () => Promise<ViewModule>> = {\n${loaders('View.tsx', '..')}}\n`,
    ],
    [
      `${root}/draw/drawings.gen.ts`,
      `${head}import type { DrawingModule } from './drawing.ts'\n\n/** The same charts without a browser. */\nexport const drawings: Record<string, () => Promise<DrawingModule>> = {\n${loaders('svg.ts', '..')}}\n`,
    ],
    [
      `${families}/families.gen.ts`,
      `${head}import type { FamilyModule } from './load.ts'\n\n/** Kinds of series. */\nexport const entries: Record<string, () => Promise<FamilyModule>> = {\n${kinds().join('')}}\n`,
    ],
    [`${root}/views/thumbnails.gen.ts`, `${head}${thumbnails(charts)}`],
    [`${root}/views/examples.gen.ts`, `${head}${examples(charts)}`],
  ])
}

/** A series kind is a folder with a `family.ts`; the name of the folder is the `type` in specs. */
const kinds = (): string[] =>
  readdirSync(families)
    .filter((kind) => existsSync(`${families}/${kind}/family.ts`))
    .toSorted()
    .map((kind) => `  ${kind}: () => import('./${kind}/family.ts'),\n`)

function formatEntry({ folder, chart }: { folder: string; chart: AnyChart }): string {
  const { viz_type, name, series, behaviors, replaces = {} } = chart
  const facts = {
    viz_type,
    name,
    series,
    behaviors,
    annotated: 'annotation_layers' in chart.form.properties,
    replaces: Object.keys(replaces),
  }
  const lines = Object.entries(facts).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`)
  return `  {\n${lines.join('')}    load: () => import('./${folder}/chart.ts'),\n  },\n`
}

function formatGalleryEntry({ folder, chart }: { folder: string; chart: AnyChart }): string {
  const { viz_type, category, tags, description, deprecated = false, labelExplanation = '' } = chart
  const facts = {
    category,
    tags,
    description,
    label: deprecated ? 'DEPRECATED' : tags.includes('Popular') ? 'FEATURED' : null,
    labelExplanation,
    deprecated,
    exampleGallery: drawnExamples(folder, chart).map((name) => ({ name, caption: formatCaption(name) })),
    needs: readDataRequirements(chart),
  }
  return `  ${viz_type}: ${JSON.stringify(facts)},\n`
}

/** An unknown name that is not path data is an error. */
function checkIcon(folder: string, icon: string): string {
  if (icon in paths || /^M[\d.]/.test(icon)) return icon
  throw new Error(`${folder}: the icon set has no “${icon}”, and it is no path data`)
}

function thumbnails(charts: { folder: string; chart: AnyChart }[]): string {
  const drawn = charts.filter(({ folder }) => existsSync(`${root}/${folder}/thumbnail.svg`))
  const imports = drawn.flatMap(({ folder, chart: { viz_type } }) => [
    `import ${viz_type}_light from '../${folder}/thumbnail.svg?url'\n`,
    `import ${viz_type}_dark from '../${folder}/thumbnail.dark.svg?url'\n`,
  ])
  const rows = drawn.map(
    ({ chart: { viz_type } }) => `  ${viz_type}: { light: ${viz_type}_light, dark: ${viz_type}_dark },\n`,
  )
  return `${imports.join('')}\n/** Addresses of the pictures of the gallery. */\nexport const thumbnails: Record<string, { light: string; dark: string }> = {\n${rows.join('')}}\n`
}

/** Examples that are already drawn. */
const drawnExamples = (folder: string, chart: AnyChart): string[] =>
  listExamples(folder, chart).filter((name) => existsSync(`${root}/${folder}/examples/${name}.svg`))

function examples(charts: { folder: string; chart: AnyChart }[]): string {
  const all = charts.map(({ folder, chart }) => ({
    viz_type: chart.viz_type,
    pictures: drawnExamples(folder, chart).map((name, index) => ({ name, folder, id: `${chart.viz_type}_${index}` })),
  }))
  const imports = all.flatMap(({ pictures }) =>
    pictures.flatMap(({ name, folder, id }) => [
      `import ${id}_light from '../${folder}/examples/${name}.svg?url'\n`,
      `import ${id}_dark from '../${folder}/examples/${name}.dark.svg?url'\n`,
    ]),
  )
  const rows = all
    .filter(({ pictures }) => pictures.length > 0)
    .map(
      ({ viz_type, pictures }) =>
        `  ${viz_type}: {\n${pictures.map(({ name, id }) => `    ${JSON.stringify(name)}: { light: ${id}_light, dark: ${id}_dark },\n`).join('')}  },\n`,
    )
  return `${imports.join('')}\n/** Addresses of the examples of the gallery, by chart type and name. */\nexport const examples: Record<string, Record<string, { light: string; dark: string }>> = {\n${rows.join('')}}\n`
}
