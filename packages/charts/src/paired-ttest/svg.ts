import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, round, svgText } from '../shared/svg-text.ts'
import { textWidth } from '../shared/text-width.ts'
import type { TtestSpec } from './chart.ts'
import { buildTTestRows } from './t-test-rows.ts'

const padding = 10
const size = 12
const rowHeight = 24

/** Draws the tables below each other, compared with the first group of each, and counts the rows that do not fit. */
export default function drawPairedTtest(given: Spec, frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as TtestSpec
  const { theme, width, height, translate, locale } = around
  const tables = spec.tables.map(({ metric, groups }) => ({
    metric,
    rows: buildTTestRows(spec, groups, 0, { frame: frames.series, say: translate, locale }),
  }))
  const numbers = [translate('picture.ttest.p', 'p-value'), translate('picture.ttest.lift', 'Lift %')]
  const verdict = translate('picture.ttest.significant', 'Significant')
  const all = tables.flatMap(({ rows }) => rows)
  const widest = (texts: readonly string[]) =>
    Math.max(...texts.map((text) => textWidth(text, size))) * 1.06 + 2 * padding
  const widths = [
    widest([numbers[0]!, ...all.map(({ texts }) => texts.p)]),
    widest([numbers[1]!, ...all.map(({ texts }) => texts.lift)]),
    widest([verdict, ...all.map(({ texts }) => texts.verdict)]),
  ] as const
  const first = Math.max(60, width - widths[0] - widths[1] - widths[2])
  const names = first / Math.max(1, spec.dimensions.length)
  const ends = [first + widths[0], first + widths[0] + widths[1]] as const
  const parts: string[] = []
  let y = 0
  let hidden = 0
  const text = (
    words: string,
    x: number,
    room: number,
    look: { fill: string; weight?: number; anchor?: 'start' | 'end' },
  ) => parts.push(svgText(x, y + rowHeight / 2 + size * 0.36, truncateText(words, size, room), { size, ...look }))
  const line = (names_: readonly string[], values: readonly string[], look: { fill: string; weight?: number }) => {
    for (const [at, name] of names_.entries()) text(name, padding + at * names, names - padding, look)
    text(values[0]!, ends[0] - padding, widths[0] - padding, { ...look, anchor: 'end' })
    text(values[1]!, ends[1] - padding, widths[1] - padding, { ...look, anchor: 'end' })
    text(values[2]!, ends[1] + padding, widths[2] - padding, look)
    y += rowHeight
    parts.push(`<rect y="${round(y - 1)}" width="${width}" height="1" fill="${theme.border}"/>`)
  }
  for (const { metric, rows } of tables) {
    if (y + 3 * rowHeight > height && y > 0) {
      hidden += rows.length
      continue
    }
    text(metric, padding, width - 2 * padding, { fill: theme.text, weight: 600 })
    y += rowHeight
    line(spec.dimensions, [...numbers, verdict], { fill: theme.text2, weight: 500 })
    for (const { group, texts, isControl, isSignificant } of rows) {
      if (y + 2 * rowHeight > height) {
        hidden += 1
        continue
      }
      if (isControl) parts.push(`<rect y="${y}" width="${width}" height="${rowHeight}" fill="${theme.sunken}"/>`)
      const weight = isControl || isSignificant ? 600 : 400
      line(group.names, [texts.p, texts.lift, texts.verdict], { fill: theme.text, weight })
    }
    y += 6
  }
  const more =
    hidden > 0
      ? translate('picture.table.more', '{count, plural, one {# more row} other {# more rows}}', { count: hidden })
      : ''
  const note = [more, spec.note].filter(Boolean).join('. ')
  parts.push(svgText(padding, height - 7, truncateText(note, 11, width - 2 * padding), { size: 11, fill: theme.text3 }))
  const significant = all.filter((row) => row.isSignificant).length
  const describe = translate(
    'picture.describe.ttest',
    'Paired t-test table of {metrics}: {count, plural, one {# comparison} other {# comparisons}}, {significant} significant at {level}.',
    {
      metrics: spec.tables.map(({ metric }) => metric).join(', '),
      count: all.filter((row) => !row.isControl).length,
      significant,
      level: spec.level,
    },
  )
  return { body: parts.join(''), describe }
}
