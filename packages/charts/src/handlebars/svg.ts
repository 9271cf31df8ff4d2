import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { truncateText, svgText } from '../shared/svg-text.ts'
import { wrapText } from '../shared/text-width.ts'
import type { HandlebarsSpec } from './chart.ts'
import { plainText } from './plain-text.ts'

const size = 12
const lineHeight = 18
const padding = 12

/** Draws the text of the output and a note that the layout is missing, since there is no HTML without a browser. */
export default function drawHandlebars(given: Spec, _frames: Record<string, Frame>, around: RenderContext) {
  const { html, error } = given as HandlebarsSpec
  const { theme, width, height, translate } = around
  const note = error
    ? `${error.title}. ${error.text}`
    : translate('picture.handlebars.words', 'Text only. The layout of this template is rendered in a browser.')
  const room = Math.max(2, Math.floor((height - 2 * padding) / lineHeight))
  const lines = (error ? [] : plainText(html)).flatMap((line) =>
    wrapText(line.slice(0, 5000), width - 2 * padding, size, room),
  )
  // A small image uses all its space for the text itself.
  const notes = error || room > 8 ? [note] : []
  const left = room - notes.length
  const shown = lines.length > left ? [...lines.slice(0, left - 1), '…'] : lines
  const write = (text: string, index: number, fill: string) =>
    svgText(padding, padding + size + index * lineHeight, truncateText(text, size, width - 2 * padding), { size, fill })
  return {
    body: [
      ...notes.map((line) => write(line, 0, error ? theme.bad : theme.text3)),
      ...shown.map((line, index) => write(line, index + notes.length, theme.text)),
    ].join(''),
    describe: error
      ? note
      : translate('picture.describe.handlebars', 'Custom template: {text}', { text: lines.slice(0, 20).join(' ') }),
  }
}
