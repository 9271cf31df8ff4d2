// `node packages/charts/src/testing/write-thumbnails.ts [folder]...` draws the gallery images of all charts or of some: a
// thumbnail, and examples with their text.
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyChart, ChartForm } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { listExamples } from './examples.ts'
import { readFixtures, type Fixture } from './fixtures.ts'

/** Text and labels are omitted: at this size only the shape is readable. */
const bare = {
  show_legend: false,
  show_value: false,
  show_labels: false,
  x_axis_title: null,
  y_axis_title: null,
  compare_lag: 0,
}

interface Size {
  width: number
  height: number
}

const named = process.argv.slice(2)
const all = globSync('*/chart.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).map((path) => dirname(path))

for (const folder of named.length > 0 ? named : all) {
  const { default: chart } = (await import(`../${folder}/chart.ts`)) as { default: AnyChart }
  const fixtures = readFixtures(folder)
  const fixtureOf = (requested: string | undefined): Fixture => {
    const found = fixtures.find(({ name }) => requested === undefined || name === requested)
    if (!found) throw new Error(`${folder} has no fixture ${requested ?? ''}`)
    return found
  }
  const write = async (path: string, { frames, annotations }: Fixture, form: ChartForm, size: Size) => {
    for (const theme of ['light', 'dark'] as const) {
      const options = { theme, title: folder, annotations, ...size }
      const { svg } = await drawChart(chart.viz_type, frames, form, options)
      const file = `../${folder}/${path}${theme === 'dark' ? '.dark' : ''}.svg`
      writeFileSync(new URL(file, import.meta.url), `${svg}\n`)
    }
  }
  const shown = fixtureOf(chart.thumbnail?.fixture)
  await write('thumbnail', shown, { ...shown.form, ...bare, ...chart.thumbnail?.form }, { width: 240, height: 150 })
  mkdirSync(new URL(`../${folder}/examples`, import.meta.url), { recursive: true })
  for (const name of listExamples(folder, chart)) {
    const fixture = fixtureOf(name)
    await write(`examples/${name}`, fixture, fixture.form, { width: 320, height: 200 })
  }
}
