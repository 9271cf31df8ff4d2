import { cellAt, type Frame } from '@parquetry/frame'
import { fadedOpacity, isFaded } from '../../resolve/paint.ts'
import type { RenderContext } from '../../resolve/render-context.ts'
import { findColumn } from '../column.ts'
import type { LayerColor } from './layers.ts'
import type { ArcMarks, Drawable, MarkGroup } from './marks/kinds.ts'
import { pickPositions } from './marks/read.ts'

const fadeColor = (color: LayerColor): LayerColor => ({ ...color, alpha: color.alpha * fadedOpacity })

/** Returns the marks with all but those faded that filter other charts. */
export function fadeMarks(
  drawable: Drawable,
  frames: Record<string, Frame>,
  selected: RenderContext['selected'],
): Drawable {
  if (!selected) return drawable
  return { ...drawable, marks: drawable.marks.flatMap((group) => fadeGroup(group, frames, selected)) }
}

function fadeGroup(
  group: MarkGroup,
  frames: Record<string, Frame>,
  selected: NonNullable<RenderContext['selected']>,
): MarkGroup[] {
  const frame = frames[group.layer.frame]
  const columns = group.layer.keys.flatMap((name) => {
    const column = frame && name in selected ? findColumn(frame, name) : undefined
    return column ? [[name, column] as const] : []
  })
  // Aggregated marks have no rows.
  if (!('colorIndexes' in group) || columns.length === 0 || group.rows.length < group.colorIndexes.length)
    return [group]
  const keyOf = (row: number) => Object.fromEntries(columns.map(([name, column]) => [name, cellAt(column, row)]))
  const isOther = Array.from(group.colorIndexes, (_, index) => isFaded(keyOf(group.rows[index]!), selected))
  if (group.kind === 'arcs') return splitArcs(group, isOther)
  const faded = {
    colors: [...group.colors, ...group.colors.map(fadeColor)],
    colorIndexes: group.colorIndexes.map((index, at) => (isOther[at] ? index + group.colors.length : index)),
  }
  // A new list makes deck.gl evaluate the colors again.
  if (group.kind === 'lines') return [{ ...group, ...faded, lines: [...group.lines] }]
  if (group.kind === 'areas') return [{ ...group, ...faded, areas: [...group.areas] }]
  return [{ ...group, ...faded }]
}

/** The color of the far end is one for all arcs of a group. */
function splitArcs(group: ArcMarks, isOther: readonly boolean[]): ArcMarks[] {
  const pick = (wanted: boolean): ArcMarks => {
    const kept = Uint32Array.from(isOther.flatMap((other, index) => (other === wanted ? [index] : [])))
    return {
      ...group,
      colorIndexes: group.colorIndexes.filter((_, index) => isOther[index] === wanted),
      rows: group.rows.filter((_, index) => isOther[index] === wanted),
      sources: pickPositions(group.sources, kept),
      targets: pickPositions(group.targets, kept),
    }
  }
  return [{ ...pick(true), colors: group.colors.map(fadeColor), target: fadeColor(group.target) }, pick(false)]
}
