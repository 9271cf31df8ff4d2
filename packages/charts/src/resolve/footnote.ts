import { wrapText } from '../shared/text-width.ts'
import type { RenderContext } from './render-context.ts'

const size = 11
const lineHeight = 15
/** Safety factor, since browsers measure fonts slightly wider than the width table. */
const spare = 0.95

/**
 * A note under a chart about data that is missing or approximated. It is drawn as ECharts' title; `height` is the space it needs
 * at the bottom. Lines are wrapped here, so that runners and browsers produce the same result.
 */
export function buildFootnote(text: string, { theme, width }: RenderContext): { height: number; title: object } {
  // the width is rounded to steps
  const lines = wrapText(text, Math.max(40, width - 36) * spare, size)
  return {
    height: text ? lines.length * lineHeight + 8 : 0,
    title: {
      show: text !== '',
      text: lines.join('\n'),
      left: 8,
      bottom: 4,
      padding: 0,
      textStyle: { color: theme.text2, fontSize: size, fontWeight: 400, lineHeight, fontFamily: theme.font },
    },
  }
}

/** Reports negative numbers, which cannot be drawn as areas; empty if there are none. */
export const describeNegatives = (count: number, { translate }: RenderContext): string =>
  count === 0
    ? ''
    : translate(
        'picture.note.negatives',
        '{count, plural, one {# negative value cannot be shown as an area.} other {# negative values cannot be shown as areas.}}',
        { count },
      )
