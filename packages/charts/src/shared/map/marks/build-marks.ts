import type { Frame } from '@parquetry/frame'
import { emptyBounds, extendBounds, type Bounds } from '../camera.ts'
import type { MapLayer, MapSpec } from '../layers.ts'
import { buildArcMarks } from './arcs.ts'
import { buildBinMarks } from './bins.ts'
import { buildContourMarks } from './contours.ts'
import { buildGeoJsonMarks } from './geojson.ts'
import type { Drawable, LayerMarks, MarkGroup } from './kinds.ts'
import { buildPathMarks } from './paths.ts'
import { buildPointMarks } from './points.ts'
import { buildPolygonMarks } from './polygons.ts'
import { weightedMarksBuilder } from './weighted.ts'

/**
 * Returns the marks of all layers.
 * @param hidden names that are hidden in the legend
 */
export function buildMarks(
  { layers }: MapSpec,
  frames: Record<string, Frame>,
  hidden: ReadonlySet<string> = new Set(),
): Drawable {
  const bounds = emptyBounds()
  let rowsWithoutLocation = 0
  const marks = layers.flatMap((layer) => {
    const frame = frames[layer.frame]
    if (!frame || frame.rows === 0) return []
    const built = makers[layer.kind](layer as never, frame, hidden)
    rowsWithoutLocation += built.rowsWithoutLocation
    for (const each of built.marks) extendBy(bounds, each)
    return built.marks
  })
  return { marks, bounds, rowsWithoutLocation }
}

function extendBy(bounds: Bounds, marks: MarkGroup): void {
  const add = (positions: Float64Array) => {
    for (let index = 0; index < positions.length; index += 2)
      extendBounds(bounds, positions[index]!, positions[index + 1]!)
  }
  if (marks.kind === 'lines') for (const line of marks.lines) add(line)
  else if (marks.kind === 'areas') for (const { positions } of marks.areas) add(positions)
  else if (marks.kind === 'arcs') {
    add(marks.sources)
    add(marks.targets)
  } else add(marks.positions)
}

const makers: { [Kind in MapLayer['kind']]: (layer: never, frame: Frame, hidden: ReadonlySet<string>) => LayerMarks } =
  {
    points: buildPointMarks,
    paths: buildPathMarks,
    polygons: buildPolygonMarks,
    arcs: buildArcMarks,
    bins: buildBinMarks,
    contours: buildContourMarks,
    geojson: buildGeoJsonMarks,
    heat: weightedMarksBuilder('heat'),
    cells: weightedMarksBuilder('cells'),
    clusters: weightedMarksBuilder('clusters'),
  }
