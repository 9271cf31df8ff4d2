import { writeFileSync } from 'node:fs'
import { drawChart } from '../draw/index.ts'
import { fixturesOf } from './fixtures.ts'

/** Fixture of each chart's thumbnail. */
const chosen: Record<string, string> = {
  line: 'four-named-lines',
  smooth: 'temperatures',
  step: 'stock-prices',
  scatter: 'wind-by-temperature',
  bar: 'weather-by-month',
  area: 'shares',
  pie: 'weather',
  table: 'airports',
  'time-series': 'rain-days',
  'big-number': 'flights-a-day',
  'big-number-total': 'flights',
}

/** Words and labels are left out: at this size only the shape can be read. */
const bare = {
  show_legend: false,
  show_value: false,
  show_labels: false,
  x_axis_title: null,
  y_axis_title: null,
  compare_lag: 0,
}

for (const [folder, name] of Object.entries(chosen)) {
  const fixture = fixturesOf(folder).find((each) => each.name === name)
  if (!fixture) throw new Error(`${folder} has no fixture ${name}`)
  for (const theme of ['light', 'dark'] as const) {
    const { svg } = await drawChart(
      String(fixture.form.viz_type),
      fixture.frames,
      { ...fixture.form, ...bare },
      { theme, width: 240, height: 150, title: folder },
    )
    writeFileSync(new URL(`../${folder}/thumbnail${theme === 'dark' ? '.dark' : ''}.svg`, import.meta.url), `${svg}\n`)
  }
}
