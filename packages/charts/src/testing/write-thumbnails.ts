// `node packages/charts/src/testing/write-thumbnails.ts [folder]...`: draws the pictures of the gallery, of all charts or of some.
import { globSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyChart } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { fixturesOf } from './fixtures.ts'

/** Words and labels are left out: at this size only the shape can be read. */
const bare = {
  show_legend: false,
  show_value: false,
  show_labels: false,
  x_axis_title: null,
  y_axis_title: null,
  compare_lag: 0,
}

const named = process.argv.slice(2)
const all = globSync('*/chart.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) }).map((path) => dirname(path))

for (const folder of named.length > 0 ? named : all) {
  const { default: chart } = (await import(`../${folder}/chart.ts`)) as { default: AnyChart }
  const { fixture: chosen, form } = chart.thumbnail ?? {}
  const fixture = fixturesOf(folder).find(({ name }) => chosen === undefined || name === chosen)
  if (!fixture) throw new Error(`${folder} has no fixture ${chosen ?? ''}`)
  for (const theme of ['light', 'dark'] as const) {
    const { svg } = await drawChart(
      chart.viz_type,
      fixture.frames,
      { ...fixture.form, ...bare, ...form },
      { theme, width: 240, height: 150, title: folder },
    )
    writeFileSync(new URL(`../${folder}/thumbnail${theme === 'dark' ? '.dark' : ''}.svg`, import.meta.url), `${svg}\n`)
  }
}
