import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { measureWord, placeWords, type Word } from '../resolve/families/words/layout.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { renderShapes } from '../testing/rendered-shapes.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'word-cloud')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const families = await loadFamilies(['words'])
const baseForm = { viz_type: 'word_cloud', series: 'word', metric: 'n' }
const answer = (names: (string | null)[], values: (number | null)[]) =>
  toFrames({
    words: [
      { name: 'word', values: names },
      { name: 'n', values },
    ],
  })
const frames = answer(['tea', 'coffee', null, 'water'], [25, 100, 50, null])

const drawn = (more: object = {}, looks: object = {}, given = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(given, form, buildSpecContext(form)), given, { ...around, ...looks }, families)
}
/** The last entry does not belong to a word. */
const texts = (...given: Parameters<typeof drawn>) => renderShapes(drawn(...given), { ...around, ...given[1] })
const sizes = (...given: Parameters<typeof drawn>) =>
  texts(...given).flatMap((each) => each.map(({ style }) => style.fontSize))

it('queries the largest words, or any, as set in the form', () => {
  const question = (more: object) => chart.queries(applyDefaults(chart.form, { ...baseForm, ...more }), {}).words
  expect(question({})).toEqual({ columns: ['word'], metrics: ['n'], orderby: [], row_limit: 100 })
  expect(question({ sort_by_metric: true })?.orderby).toEqual([['n', false]])
  expect(chart.initialSettings).toEqual({ sort_by_metric: true })
})

it('a word is sized by its number from zero to the largest; one without a number is not drawn', () => {
  expect(sizes({ size_from: 10, size_to: 50 })).toEqual([20, 50, 30])
  expect(sizes({ size_from: '50', size_to: '10' })).toEqual([20, 50, 30])
  expect(sizes({ size_from: 10, size_to: 50 }, {}, answer(['a', 'b', 'c'], [-10, 0, 30]))).toEqual([10, 20, 50])
})

it('the rotation of a word depends only on its own text', () => {
  const turned = (rotation: string, given = frames) =>
    texts({ rotation }, {}, given).map(([text]) => Math.round(((text?.rotation ?? 0) * 180) / Math.PI))
  expect(turned('flat')).toEqual([0, 0, 0, 0])
  const names = [...'abcdefghijklmnopqrstuvwxyz']
  const many = answer(
    names,
    names.map((_, index) => index),
  )
  expect(new Set(turned('square', many))).toEqual(new Set([0, 90]))
  expect(new Set(turned('random', many))).toEqual(new Set([-90, -60, -30, 0, 30, 60]))
  const few = answer(names.slice(3, 6), [7, 7, 7])
  expect(turned('random', few).slice(0, 3)).toEqual(turned('random', many).slice(3, 6))
})

const many = Array.from({ length: 60 }, (_, index): Word => ({
  text: `word ${index}`,
  size: 40 - index / 2,
  turn: [0, 90, 30, -60][index % 4] as number,
}))

it('words do not overlap and stay inside the chart', () => {
  const placed = placeWords(many, { width: 500, height: 300 }).flatMap((word) => word ?? [])
  expect(placed.length).toBeGreaterThan(20)
  const corners = placed.map((word) => {
    const angle = (-word.turn * Math.PI) / 180
    // without the gap around it
    const { width, height } = { width: measureWord({ ...word, turn: 0 }).width - 4, height: word.size }
    const across = [Math.cos(angle), Math.sin(angle)] as const
    const points = [-0.5, 0.5].flatMap((i) =>
      [-0.5, 0.5].map((j): [number, number] => [
        word.x + i * width * across[0] - j * height * across[1],
        word.y + i * width * across[1] + j * height * across[0],
      ]),
    )
    return { points, axes: [across, [-across[1], across[0]] as const] }
  })
  for (const { points } of corners)
    for (const [x, y] of points) {
      expect(x > -3 && x < 503 && y > -3 && y < 303).toBe(true)
    }
  const reach = (points: [number, number][], [x, y]: readonly [number, number]) => {
    const along = points.map(([px, py]) => px * x + py * y)
    return [Math.min(...along), Math.max(...along)] as const
  }
  for (const [i, one] of corners.entries())
    for (const other of corners.slice(i + 1)) {
      const isApart = [...one.axes, ...other.axes].some((axis) => {
        const [a, b] = [reach(one.points, axis), reach(other.points, axis)]
        return a[1] <= b[0] + 1e-6 || b[1] <= a[0] + 1e-6
      })
      expect(isApart).toBe(true)
    }
})

it('the layout of the same words is stable', () => {
  const box = { width: 500, height: 300 }
  expect(placeWords(many, box)).toEqual(placeWords(many, box))
})

it('words shrink when space is scarce, then the smallest are omitted and counted', () => {
  const names = Array.from({ length: 80 }, (_, index) => `a longer word ${index}`)
  const given = answer(
    names,
    names.map((_, index) => 80 - index),
  )
  const [first] = sizes({}, { width: 400, height: 300 }, given)
  expect(first).toBeLessThan(70)
  const all = texts({}, { width: 200, height: 150 }, given)
  const words = all.slice(0, -1)
  const missing = words.filter((each) => each.length === 0).length
  expect(missing).toBeGreaterThan(10)
  expect(words[0]?.[0]?.style.text).toBe('a longer word 0')
  expect(all.at(-1)?.[0]?.style.text).toBe(`${missing} more words don’t fit`)
  expect(texts({}, {}, frames).at(-1)).toEqual([])
  for (const size of sizes({}, { width: 200, height: 150 }, given)) expect(size).toBeGreaterThanOrEqual(9)
})

it('arrow keys move and announce word by word; words other than the filtered one fade', () => {
  const resolved = drawn()
  expect(resolved.navigate({ series: 0, at: 0 }, 'next')).toEqual({ series: 0, at: 1 })
  expect(resolved.markText({ series: 0, at: 1 })).toBe('coffee: 100')
  expect(resolved.legend).toEqual([])
  expect(resolved.mark({ series: 0, at: 1 }, baseForm)?.filters).toEqual([{ col: 'word', op: '==', val: 'coffee' }])
  const faded = texts({}, { selected: { word: 'coffee' } }).map(([text]) => text?.style.opacity)
  expect(faded.slice(0, 3)).toEqual([0.25, 1, 0.25])
})

it.each(Object.entries(buildHostileFrames('word', 'n')))('draws %s', async (name, { rows }) => {
  const isNothing = ['no rows', 'only nulls', 'NaN and infinities'].includes(name)
  expect(drawn({}, {}, { words: rows }).isEmpty).toBe(isNothing)
  const { svg } = await drawChart('word_cloud', { words: rows }, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
