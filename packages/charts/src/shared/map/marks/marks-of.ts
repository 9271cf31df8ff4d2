import type { Frame } from '@parquetry/frame'
import { emptyBounds, extend, type Bounds } from '../camera.ts'
import type { MapLayer, MapSpec } from '../layers.ts'
import { arcs } from './arcs.ts'
import { bins } from './bins.ts'
import { contours } from './contours.ts'
import { geojson } from './geojson.ts'
import type { Drawable, Made, Marks } from './kinds.ts'
import { paths } from './paths.ts'
import { points } from './points.ts'
import { polygons } from './polygons.ts'
import { spread } from './spread.ts'

/**
 * The marks of all layers.
 * @param hidden names of the legend that are switched off
 */
export function marksOf(
  { layers }: MapSpec,
  frames: Record<string, Frame>,
  hidden: ReadonlySet<string> = new Set(),
): Drawable {
  const bounds = emptyBounds()
  let left = 0
  const marks = layers.flatMap((layer) => {
    const frame = frames[layer.frame]
    if (!frame || frame.rows === 0) return []
    const made = makers[layer.kind](layer as never, frame, hidden)
    left += made.left
    for (const each of made.marks) extendBy(bounds, each)
    return made.marks
  })
  return { marks, bounds, left }
}

function extendBy(bounds: Bounds, marks: Marks): void {
  const add = (positions: Float64Array) => {
    for (let at = 0; at < positions.length; at += 2) extend(bounds, positions[at]!, positions[at + 1]!)
  }
  if (marks.kind === 'lines') for (const line of marks.lines) add(line)
  else if (marks.kind === 'areas') for (const { positions } of marks.areas) add(positions)
  else if (marks.kind === 'arcs') {
    add(marks.sources)
    add(marks.targets)
  } else add(marks.positions)
}

const makers: { [Kind in MapLayer['kind']]: (layer: never, frame: Frame, hidden: ReadonlySet<string>) => Made } = {
  points,
  paths,
  polygons,
  arcs,
  bins,
  contours,
  geojson,
  heat: spread('heat'),
  cells: spread('cells'),
  clusters: spread('clusters'),
}
