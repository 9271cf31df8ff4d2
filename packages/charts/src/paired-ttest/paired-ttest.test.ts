import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { englishTranslator } from '../resolve/text.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart, { type TtestSpec } from './chart.ts'
import { compareToControl } from './compare.ts'
import { twoSidedP } from './student-t.ts'
import { buildTTestRows } from './t-test-rows.ts'

chartSuite(chart, 'paired-ttest')

/**
 * Additional hours of sleep with two drugs. @see Student, "The probable error of a mean", Biometrika 6 (1908), and R's data set
 * `sleep`
 */
const sleep = {
  dextro: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  laevo: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
}

describe('p-values of Student’s t', () => {
  // Critical values of the NIST/SEMATECH e-Handbook, 1.3.6.7.2: two-sided 0.05 and 0.01.
  it.each([
    [1, 12.706, 0.05],
    [2, 4.303, 0.05],
    [5, 2.571, 0.05],
    [10, 2.228, 0.05],
    [30, 2.042, 0.05],
    [100, 1.984, 0.05],
    [1, 63.657, 0.01],
    [10, 3.169, 0.01],
    [100, 2.626, 0.01],
    [10, 4.144, 0.002],
  ])('%i degrees of freedom, t = %f: %f', (freedom, t, p) => {
    expect(twoSidedP(t, freedom)).toBeCloseTo(p, 4)
    expect(twoSidedP(-t, freedom)).toBe(twoSidedP(t, freedom))
  })
  it('match the closed forms for one and two degrees of freedom, also for large t', () => {
    for (const t of [0, 0.1, 0.5, 1, 3, 20, 1e3, 1e6]) {
      expect(twoSidedP(t, 1) / ((2 / Math.PI) * Math.atan2(1, t))).toBeCloseTo(1, 10)
      const root = Math.sqrt(2 + t * t)
      expect(twoSidedP(t, 2) / (2 / (root * (root + t)))).toBeCloseTo(1, 10)
    }
  })
  it('approach the normal distribution for many degrees of freedom', () => {
    expect(twoSidedP(1.959963984540054, 1e7)).toBeCloseTo(0.05, 6)
    expect(twoSidedP(Infinity, 3)).toBe(0)
  })
})

describe('comparison of two groups', () => {
  it('matches R: t.test(extra ~ group, data = sleep, paired = TRUE)', () => {
    const { p, lift, pairs } = compareToControl(sleep.laevo, sleep.dextro)
    expect(p).toBeCloseTo(0.00283289, 8)
    expect(lift).toBeCloseTo(23.3 / 7.5 - 1, 12)
    expect(pairs).toBe(10)
  })
  it('skips periods that one group lacks, which the original counts as zero', () => {
    const full = compareToControl([1, 2, 4, 5], [2, 2, 3, 9])
    expect(compareToControl([1, 2, null, 4, 5, 100], [2, 2, 50, 3, 9, null])).toEqual(full)
  })
  it('has a null p-value or lift when it is undefined', () => {
    expect(compareToControl([1], [2])).toEqual({ pairs: 1, p: null, lift: -0.5 })
    expect(compareToControl([1, 2], [1, 2])).toEqual({ pairs: 2, p: null, lift: 0 })
    expect(compareToControl([], [])).toEqual({ pairs: 0, p: null, lift: null })
    expect(compareToControl([1, 2], [-1, 1])).toMatchObject({ lift: null })
  })
  it('has a p-value of zero when all pairs differ by the same amount', () => {
    expect(compareToControl([2, 3, 4], [1, 2, 3]).p).toBe(0)
  })
})

const frames = toFrames({
  series: [
    { name: 'night', values: Array.from({ length: 10 }, (_, index) => index) },
    ...Object.entries({ ...sleep, nothing: sleep.dextro }).map(([name, values]) => ({ name, values })),
  ],
})
const buildTexts = (more: object, control = 0) => {
  const form = applyDefaults(chart.form, { x_axis: 'night', metrics: ['n'], groupby: ['drug'], ...more })
  const spec = chart.spec(frames, form, buildSpecContext(form)) as TtestSpec
  return buildTTestRows(spec, spec.tables[0]!.groups, control, {
    frame: frames.series,
    say: englishTranslator,
    locale: 'en',
  }).map(({ group, texts }) => [...group.names, texts.p, texts.lift, texts.verdict])
}

it('compares each group with the control, with the significance level and digits of the form', () => {
  expect(buildTexts({})).toEqual([
    ['dextro', '', '', 'Control'],
    ['laevo', '0.002833', '+210.6667', 'Yes'],
    ['nothing', '∅', '0.0000', '∅'],
  ])
  expect(buildTexts({ significance_level: 0.001, pvalue_precision: '2', liftvalue_precision: 0 })[1]).toEqual([
    'laevo',
    '< 0.01',
    '+211',
    'No',
  ])
  expect(buildTexts({}, 1)[0]).toEqual(['dextro', '0.002833', '-67.8112', 'Yes'])
})

it.each(Object.entries(buildHostileFrames('at', 'n')))('draws %s without failing', async (_, { rows }) => {
  const { svg } = await drawChart('paired_ttest', { series: rows }, { x_axis: 'at', metrics: ['n'], groupby: ['g'] })
  expect(svg).not.toMatch(/NaN|Infinity/)
})
