import { expect, it } from 'vitest'
import { lookOf } from '../look.ts'
import { settle } from '../read-form.ts'
import { resolve } from '../resolve/resolve.ts'
import { plainSay } from '../resolve/words.ts'
import { themes } from '../resolve/theme.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { framesOf } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'pie')

const frames = framesOf({
  slices: [
    { name: 'kind', values: ['a', 'b', 'c', null] },
    { name: 'n', values: [60, 36, 3, 1] },
  ],
})
const around = { theme: themes.light, locale: 'en', timeZone: 'UTC', say: plainSay, width: 400, height: 300 }
const slices = (more: object) => {
  const form = settle(chart.form, { viz_type: 'pie', groupby: ['kind'], metric: 'n', ...more })
  const { option } = resolve(chart.spec(frames, form, lookOf(form)), frames, around)
  const [series] = option.series as { data: { name: string; value: number; label: { formatter: string } }[] }[]
  return series?.data ?? []
}

it('puts slices under the threshold together, unless there is only one of them', () => {
  expect(slices({ threshold_for_other: 5 }).map(({ name, value }) => [name, value])).toEqual([
    ['a', 60],
    ['b', 36],
    ['Others (2)', 4],
  ])
  expect(slices({ threshold_for_other: 2 }).map(({ name }) => name)).toEqual(['a', 'b', 'c', '∅'])
})

it('fills a template with the name, the value and the share of a slice', () => {
  const [first] = slices({ label_type: 'template', label_template: '{name}: {value} of 100 ({percent})' })
  expect(first?.label.formatter).toBe('a: 60 of 100 (60%)')
})
