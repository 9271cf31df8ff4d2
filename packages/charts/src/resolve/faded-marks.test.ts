import { expect, it } from 'vitest'
import { renderSvg } from '../draw/echarts.ts'
import { resolveForm } from '../query/build-query-context.ts'
import { chartEntries, loadChart, upgradeForm } from '../registry.ts'
import { buildSpecContext } from '../spec-context.ts'
import { fadeMarks } from '../shared/map/fade-marks.ts'
import type { MapSpec } from '../shared/map/layers.ts'
import { buildMapMark } from '../shared/map/map-mark.ts'
import { buildMarks } from '../shared/map/marks/build-marks.ts'
import { readAllFixtures } from '../testing/fixtures.ts'
import { listKinds, loadFamilies } from './families/load.ts'
import type { MarkRef } from './layer.ts'
import type { Mark } from './marks.ts'
import { resolveSpec } from './resolve-spec.ts'
import { englishTranslator } from './text.ts'
import { themes } from './theme.ts'

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 640,
  height: 400,
}

/** Tables fade their rows in the page, which the tests in their folders cover. */
const tables = new Set(['table', 'pivot_table_v2'])

/** Charts whose marks don't filter: they combine rows, or no column of the fixtures names them. */
const withoutFilteringMarks = [
  'deck_contour',
  'deck_geojson',
  'deck_grid',
  'deck_heatmap',
  'deck_hex',
  'deck_screengrid',
]

it('fades the other marks while one filters, on every chart type whose marks filter', async () => {
  const fixtures = readAllFixtures()
  const interactive = chartEntries.filter(
    ({ viz_type, behaviors }) => behaviors.includes('INTERACTIVE_CHART') && !tables.has(viz_type),
  )
  const unfaded: string[] = []
  const untested: string[] = []
  for (const { viz_type } of interactive) {
    const chart = (await loadChart(viz_type))!
    let testedCount = 0
    for (const { name, form, frames, annotations } of fixtures.filter((each) => each.form.viz_type === viz_type)) {
      const resolvedForm = resolveForm(chart, upgradeForm(chart, form))
      const spec = chart.spec(frames, resolvedForm, buildSpecContext(resolvedForm, { annotations }))
      const drawing = 'layers' in spec ? await drawMap(spec as never, frames) : await drawPlot(spec, frames)
      const marks = drawing.marks(resolvedForm)
      const mark = marks.find(({ filters }) => filters.length > 0)
      // A mark that is the only one, or of the only group, leaves nothing to fade.
      if (!mark || marks.every(({ key }) => JSON.stringify(key) === JSON.stringify(mark.key))) continue
      testedCount += 1
      if (drawing.draw(null) === drawing.draw(mark.key)) unfaded.push(`${viz_type}: ${name}`)
    }
    if (testedCount === 0) untested.push(viz_type)
  }
  expect(unfaded).toEqual([])
  expect(untested).toEqual(withoutFilteringMarks)
})

type Selected = Record<string, unknown> | null

async function drawPlot(spec: Parameters<typeof resolveSpec>[0], frames: Parameters<typeof resolveSpec>[1]) {
  const families = await loadFamilies(listKinds(spec))
  const resolve = (selected: Selected) => resolveSpec(spec, frames, { ...around, selected }, families)
  return {
    // Custom series draw their marks by functions, so JSON does not show the fading; compare the SVG.
    draw: (selected: Selected) => {
      const resolved = resolve(selected)
      const text = JSON.stringify(resolved.option.series)
      return text.includes('"custom"') ? renderSvg(resolved, around) : text
    },
    marks(form: Record<string, unknown>) {
      const resolved = resolve(null)
      const found: Mark[] = []
      // Along the first series, and across all of them.
      for (const move of ['next', 'down'] as const)
        for (let ref: MarkRef | null = resolved.navigate(null, 'next'), n = 0; ref && n < 100; n++) {
          const mark = resolved.mark(ref, form)
          if (mark) found.push(mark)
          ref = resolved.navigate(ref, move)
        }
      return found
    },
  }
}

async function drawMap(spec: MapSpec, frames: Parameters<typeof resolveSpec>[1]) {
  const drawable = buildMarks(spec, frames)
  return {
    draw: (selected: Selected) =>
      JSON.stringify(
        fadeMarks(drawable, frames, selected).marks.map(
          (group) => 'colorIndexes' in group && [...group.colorIndexes, group.colors],
        ),
      ),
    marks: (form: Record<string, unknown>) =>
      drawable.marks.flatMap((marks) =>
        Array.from(marks.rows, (_, index) => buildMapMark({ marks, at: index } as never, frames, form)).flatMap(
          (mark) => mark ?? [],
        ),
      ),
  }
}
