import { wrapText } from '../shared/text-width.ts'
import type { RenderContext } from './render-context.ts'

const size = 11
const lineHeight = 15
/** A font measured in a browser is a little wider than the table says. */
const spare = 0.95

/**
 * A sentence under a picture: what of it is not as the rows say. Drawn by ECharts' title; `height` is what it takes from below. Its
 * lines are broken here, so that a runner has the same as a screen.
 */
export function buildFootnote(text: string, { theme, width }: RenderContext): { height: number; title: object } {
  // the width is one in steps
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

/** What is below zero cannot be drawn as an area; empty where nothing is. */
export const describeNegatives = (count: number, { translate }: RenderContext): string =>
  count === 0
    ? ''
    : translate(
        'picture.note.negatives',
        '{count, plural, one {# negative value cannot be shown as an area.} other {# negative values cannot be shown as areas.}}',
        { count },
      )
