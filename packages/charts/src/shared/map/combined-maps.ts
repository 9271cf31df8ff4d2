import { buildColumn, type Frame } from '@parquetry/frame'
import type { ChartForm } from '../../define.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { resolveForm } from '../../query/build-query-context.ts'
import { loadStoredForm } from '../../registry.ts'
import type { RenderContext } from '../../resolve/render-context.ts'
import type { MapLayer, MapSpec } from './layers.ts'

/** A map that combines the maps of other charts, each with its form and the rows of its first query. */
export interface CombinedMapSpec extends MapSpec {
  maps: readonly { name: string; form: ChartForm; records: readonly Record<string, unknown>[] }[]
  /** See `ColorScaleOptions`. */
  isAnalogous?: boolean
  /** Number of charts without rows. */
  missingMaps: number
}

/** Combines the layers of all charts into one map, with a separate frame per chart. */
export async function combineMaps(
  { maps, missingMaps, isAnalogous, ...spec }: CombinedMapSpec,
  { locale, timeZone, translate }: RenderContext,
): Promise<{ spec: MapSpec; frames: Record<string, Frame> }> {
  const frames: Record<string, Frame> = {}
  const layers: MapLayer[] = []
  let hiddenCount = missingMaps
  for (const { name, form, records } of maps) {
    const opened = await loadStoredForm(form)
    const settled = opened && resolveForm(opened.chart, opened.form)
    const frame = toFrame(records)
    const context = settled && buildSpecContext(settled, { locale, timeZone, isAnalogous })
    const own = context && opened.chart.spec({ rows: frame }, settled, context)
    if (!own || !Array.isArray(own.layers)) {
      hiddenCount += 1
      continue
    }
    frames[name] = frame
    layers.push(...(own.layers as MapLayer[]).map((layer) => ({ ...layer, frame: name })))
  }
  const note = translate(
    'picture.map.lacking',
    '{count, plural, one {# chart is} other {# charts are}} not shown: deleted, not accessible or not a map.',
    { count: hiddenCount },
  )
  return { spec: { ...spec, layers, notes: [...spec.notes, ...(hiddenCount > 0 ? [note] : [])] }, frames }
}

function toFrame(records: readonly Record<string, unknown>[]): Frame {
  const names = Object.keys(records[0] ?? {})
  return {
    rows: records.length,
    columns: names.map((name) =>
      buildColumn(
        records.map((record) => (record[name] ?? null) as string | null),
        name,
      ),
    ),
  }
}
