import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cellAt } from '@parquetry/frame'
import { describe, expect, it, vi } from 'vitest'
import { buildFieldGroups } from '../field-groups.ts'
import type { AnyChart, ChartForm } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { validateValue } from '../validate-value.ts'
import { buildSpecContext } from '../spec-context.ts'
import { resolveForm, namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { galleryEntries } from '../gallery.ts'
import { chartEntry } from '../registry.ts'
import { idleControls } from './effects.ts'
import { readFixtures, type Fixture } from './fixtures.ts'

/**
 * Checks for every chart: its defaults are valid, invalid forms still give queries and drawings, a spec is plain JSON, and each
 * fixture gives the stored queries and spec. `PARQUETRY_GOLDEN=write` writes the specs and queries of new fixtures; for a changed
 * one it writes `<name>.changed.json` next to it for review.
 * @param folder of the chart below `packages/charts/src`
 */
export function chartSuite(chart: AnyChart, folder: string): void {
  const fixtures = readFixtures(folder)
  describe(chart.viz_type, () => {
    it('is registered under its key', async () => {
      const entry = chartEntry(chart.viz_type)
      expect(entry && (await entry.load()).default).toBe(chart)
      const { name, category, description } = chart
      expect(galleryEntries.find(({ viz_type }) => viz_type === chart.viz_type)).toMatchObject({
        name,
        category,
        description,
      })
    })

    it('has valid defaults, and a labeled control for each field', () => {
      for (const { fields } of buildFieldGroups(chart.form))
        for (const field of fields) {
          expect(field.control.label).not.toBe('')
          if (field.default !== undefined) expect(validateValue(field.schema, field.default), field.name).toBeNull()
        }
    })

    it.each([
      ['an empty form', {}],
      ['a form of invalid values', buildInvalidForm(chart)],
    ])('queries and draws %s without failing', (_, form) => {
      expect(() => namedQueries(chart, { viz_type: chart.viz_type, ...form })).not.toThrow()
      const settled = applyDefaults(chart.form, form)
      const spec = chart.spec({}, settled, buildSpecContext(settled))
      expect(toPlainJson(spec)).toEqual(spec)
    })

    it('has an effect for each of its controls', () => {
      expect(idleControls(chart, fixtures)).toEqual([])
    }, 120_000)

    it('does not change the form that is passed', () => {
      for (const { form, frames, annotations } of fixtures) {
        const before = structuredClone(form)
        namedQueries(chart, form)
        const settled = resolveForm(chart, form)
        chart.spec(frames, settled, buildSpecContext(settled, { annotations }))
        expect(form).toEqual(before)
      }
    })

    it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
      'queries and draws %s as stored',
      (_, fixture) => {
        const snapshot = toPlainJson(buildSnapshot(chart, fixture))
        if (fixture.spec === undefined && process.env.PARQUETRY_GOLDEN === 'write') {
          rmSync(fixture.specPath.replace('.spec.', '.changed.'), { force: true })
          writeFileSync(fixture.specPath, `${JSON.stringify(snapshot, null, 2)}\n`)
          return
        }
        const isSame = JSON.stringify(snapshot) === JSON.stringify(fixture.spec)
        if (!isSame)
          writeFileSync(fixture.specPath.replace('.spec.', '.changed.'), `${JSON.stringify(snapshot, null, 2)}\n`)
        expect(snapshot).toEqual(fixture.spec)
      },
    )

    it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
      'draws %s to SVG with a title and a description',
      async (_, fixture) => {
        const consoleErrors = vi.spyOn(console, 'error')
        const { frames, form, annotations } = fixture
        const { svg } = await drawChart(chart.viz_type, frames, form, { title: 'A <b>name</b>', annotations })
        expect(svg).toContain('role="img"')
        expect(svg).toContain('<title>A &lt;b&gt;name&lt;/b&gt;</title>')
        expect(/<desc>(.+)<\/desc>/.exec(svg)?.[1]).not.toContain('without data')
        expect(svg).not.toContain('NaN')
        // a series whose ECharts module is not loaded is omitted with only a console message
        expect(consoleErrors).not.toHaveBeenCalled()
        consoleErrors.mockRestore()
      },
    )

    it('hostile: colors and titles of a document add no markup and no addresses to the image', async () => {
      const [{ frames, form, annotations } = { frames: {}, form: {}, annotations: {} }] = fixtures
      const texts = Object.values(frames).flatMap(({ columns, rows }) =>
        columns.flatMap((column) => [column.name, ...(rows > 0 ? [String(cellAt(column, 0))] : [])]),
      )
      for (const hostile of ['"/><script>alert(1)</script>', ']]></style><script>', 'url(http://127.0.0.1/away)']) {
        const label_colors = Object.fromEntries(texts.map((text) => [text, hostile]))
        const dashboard = { label_colors, color_scheme: hostile }
        const { svg } = await drawChart(chart.viz_type, frames, form, { title: hostile, annotations, dashboard })
        expect(svg).not.toContain('<script')
        expect(svg).not.toMatch(/="[^"]*url\((?!#)/)
      }
    })

    it('has a thumbnail in both themes', () => {
      const read = (name: string) => readFileSync(new URL(`../${folder}/${name}`, import.meta.url), 'utf8')
      expect(read('thumbnail.svg')).not.toBe(read('thumbnail.dark.svg'))
    })
  })
}

/** Returns what is stored for a fixture: its queries and its spec. */
function buildSnapshot(chart: AnyChart, { form, frames, annotations }: Fixture) {
  const settled = resolveForm(chart, form)
  return {
    queries: namedQueries(chart, form),
    spec: chart.spec(frames, settled, buildSpecContext(settled, { annotations })),
  }
}

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Returns a form in which every setting is invalid. */
const buildInvalidForm = (chart: AnyChart): ChartForm =>
  Object.fromEntries(Object.keys(chart.form.properties as object).map((name) => [name, { nothing: [Symbol.name] }]))
