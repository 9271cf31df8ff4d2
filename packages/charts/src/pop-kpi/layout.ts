import { formatter, nullText } from '../shared/formats/format.ts'
import { textWidth } from '../shared/text-width.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import type { PeriodComparisonSpec } from './chart.ts'
import type { Figure } from './form.ts'

export interface FigureText {
  text: string
  tone: 'good' | 'bad' | 'same'
}

/** Texts and sizes in pixels, the same for the screen and for SVG. */
export interface PeriodComparisonLayout {
  value: string
  /** Direction of the change; empty when the value is unchanged or unknown. */
  arrow: FigureText
  numberSize: number
  /** Lines of figures, each as long as fits. */
  lines: FigureText[][]
  partSize: number
  /** The comparison time; empty when it does not fit. */
  caption: string
  describe: string
}

export const gaps = { parts: 18, lines: 6, arrow: 8 }
export const captionSize = 12
/** Ratio of the arrow size to the number size. */
export const arrowSize = 0.55
const smallest = { number: 20, part: 12 }
const largestPart = 28
/** Semibold text and tabular figures are wider than the measured widths. */
const boldness = 1.1
const leastHeight = 110

/** Unifies the minus sign; formats use two. */
const withMinus = (text: string): string => text.replace(/^-/, '−')

const tabular = (text: string) => text.replaceAll(/\d/g, '0') || '0'

export function layoutPeriodComparison(spec: PeriodComparisonSpec, around: RenderContext): PeriodComparisonLayout {
  const { width, height, locale, translate } = around
  const value = withMinus(formatter(spec.format, locale)(spec.value))
  const change = computeDelta(spec)
  const tone =
    change === null || change === 0 || !spec.more ? 'same' : change > 0 === (spec.more === 'good') ? 'good' : 'bad'
  const arrow: FigureText = { text: change === null || change === 0 ? '' : change > 0 ? '▲' : '▼', tone }
  const room = Math.max(40, width - 32)
  const parts = buildFigureTexts(spec, tone, around)
  const wanted = Math.min(height * spec.size.header * 1.25, height * 0.6)
  const signs = arrow.text ? arrowSize + gaps.arrow / wanted : 0
  const numberSize = Math.max(
    smallest.number,
    Math.min(wanted, room / (boldness * textWidth(tabular(value), 1) + signs)),
  )
  const longest = Math.max(...parts.map(({ text }) => textWidth(text || '0', 1)))
  const fitting = Math.min(height * spec.size.subheader * 0.7, largestPart, room / (boldness * longest))
  const partSize = Math.max(smallest.part, onOneLine(parts, room, fitting))
  const caption = captionText(spec, around)
  return {
    value,
    arrow,
    numberSize,
    lines: brokenAt(room, parts, partSize),
    partSize,
    caption: height < leastHeight ? '' : caption,
    describe: [
      translate('picture.describe.number', '{measure}: {value}.', { measure: spec.measure, value }),
      ...parts.map(({ text }) => `${text}.`),
      ...(caption ? [`${caption}.`] : []),
    ].join(' '),
  }
}

/** Returns the difference to the previous value; null when either is unknown. */
const computeDelta = ({ value, previous }: PeriodComparisonSpec): number | null =>
  typeof value === 'number' && previous !== null ? value - previous : null

const signs: Record<Figure, string> = { 'Previous value': '#', Delta: '△', 'Percent change': '%' }

function buildFigureTexts(
  spec: PeriodComparisonSpec,
  tone: FigureText['tone'],
  { locale, translate }: RenderContext,
): FigureText[] {
  const { previous, format } = spec
  if (previous === null) return [{ text: translate('picture.change.none', 'no data to compare with'), tone: 'same' }]
  const change = computeDelta(spec)
  const [write, percent] = [format, ',.1~%'].map((name) => {
    const written = formatter(name, locale)
    return (number: number) => withMinus(written(number))
  }) as [(number: number) => string, (number: number) => string]
  const signed = (number: number, text: string) => (number > 0 ? `+${text}` : text)
  const valueTexts: Record<Figure, string> = {
    'Previous value': write(previous),
    Delta: change === null ? nullText : signed(change, write(change)),
    // A change relative to zero is undefined.
    'Percent change':
      change === null || previous === 0 ? nullText : signed(change, percent(change / Math.abs(previous))),
  }
  return spec.figures.map(({ figure, sign, name }) => ({
    text: [sign ? signs[figure] : '', name, valueTexts[figure]].filter(Boolean).join(' '),
    tone: figure === 'Previous value' ? 'same' : tone,
  }))
}

function captionText({ shift }: PeriodComparisonSpec, { translate }: RenderContext): string {
  if (shift === null) return ''
  if (shift === 'inherit')
    return translate('picture.compared.inherit', 'compared with the previous period of the same length')
  return /^\d{4}-/.test(shift)
    ? translate('picture.compared.date', 'compared with the period starting {date}', { date: shift })
    : translate('picture.compared.shift', 'compared with {shift}', { shift })
}

/** Reduces the size slightly when that fits all figures on one line. */
function onOneLine(parts: readonly FigureText[], room: number, size: number): number {
  const width = boldness * parts.reduce((sum, { text }) => sum + textWidth(text, 1), 0)
  const fitting = (room - gaps.parts * (parts.length - 1)) / (width || 1)
  return fitting < 0.7 * size ? size : Math.min(size, fitting)
}

/** Breaks the figures into lines, each as long as fits. */
function brokenAt(room: number, parts: readonly FigureText[], size: number): FigureText[][] {
  const lines: FigureText[][] = []
  let left = 0
  for (const part of parts) {
    const width = boldness * textWidth(part.text, size)
    const line = lines.at(-1)
    if (line && width + gaps.parts <= left) line.push(part)
    else lines.push([part])
    left = (line && lines.at(-1) === line ? left - gaps.parts : room) - width
  }
  return lines
}
