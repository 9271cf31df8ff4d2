import { formatter, shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { StepItem, StepMarks } from './marks.ts'
import { describeStepFaults } from './faults.ts'

const size = 12
const lineHeight = 15
const edge = 8
const maxBarWidth = 8
/** Gap between a bar and the text beside it. */
const gap = 6
/** Minimum width for a name. */
const minNameWidth = 24

/** A bar per step, as high as the number of entities that reach it, and a band leading to it from the previous step. */
export const stepsOption = (_: SpecSeries, steps: StepMarks, around: RenderContext) =>
  customSeries(steps.name, steps.items.length, (width, height) => drawSteps(steps, { ...around, width, height }))

function drawSteps(steps: StepMarks, around: RenderContext): CustomDrawing {
  const { items } = steps
  const { theme, locale } = around
  const note = buildFootnote(describeStepFaults(steps, around), around).height
  const height = Math.max(1, around.height - 2 * edge - note)
  const columns = 1 + items.reduce((most, { level }) => Math.max(most, level), 0)
  const across = Math.max(1, around.width - 2 * edge) / columns
  const wide = Math.min(maxBarWidth, across / 3)
  const room = across - wide - gap - 2
  const count = formatter(',d', locale)
  const marks = items.map((step): GraphicElement[] => {
    // with very many steps each is a thin line
    const high = Math.max(0.5, (step.to - step.from) * height)
    const [x, y] = [edge + step.level * across, edge + step.from * height]
    const color = toThemeColor(step.color, theme)
    const { borderColor } = outline(color, theme) as { borderColor?: string }
    // separates bars of the same color by a line in the background color
    const line = high >= 4 ? { stroke: borderColor ?? theme.surface, lineWidth: 1 } : {}
    const band = {
      type: 'rect',
      shape: { x: x - across + wide, y, width: across - wide, height: high },
      style: {
        fill: color,
        opacity: theme.name === 'dark' ? 0.28 : 0.2,
        ...(high >= 4 && { stroke: theme.surface, lineWidth: 1 }),
      },
      emphasis: { style: { opacity: 0.45 } },
    }
    const bar = { type: 'rect', z2: 2, shape: { x, y, width: wide, height: high }, style: { fill: color, ...line } }
    return [...(step.level > 0 ? [band] : []), bar, ...namesAt({ x: x + wide + gap, y, high }, step)]
  })

  function namesAt({ x, y, high }: { x: number; y: number; high: number }, step: StepItem): GraphicElement[] {
    if (room < minNameWidth || high < lineHeight - 1) return []
    const look = { size, fill: theme.text, font: theme.font }
    const name = truncateText(shorten(step.name.replaceAll('\n', ' ')), size, room)
    const middle = y + high / 2
    const at = (line: number, text: string, fill: string): GraphicElement => {
      const shape = textShape(x, line, text, { ...look, fill })
      return { ...shape, z2: 3, style: { stroke: theme.surface, lineWidth: 2.5, ...(shape.style as GraphicElement) } }
    }
    const number = truncateText(count(step.value), size, room)
    return high >= 2 * lineHeight + 2
      ? [at(middle - lineHeight / 2, name, theme.text), at(middle + lineHeight / 2, number, theme.text2)]
      : [at(middle, name, theme.text)]
  }
  return { marks, beside: [] }
}
