import { columnOf, type Frame } from '@parquetry/frame'
import type { ChartForm } from '../../define.ts'
import { lookOf } from '../../look.ts'
import { drawnForm } from '../../query/build-query-context.ts'
import { openForm } from '../../registry.ts'
import type { Surroundings } from '../../resolve/surroundings.ts'
import type { MapLayer, MapSpec } from './layers.ts'

/** A map that other charts' maps are laid on: each with its form and the rows of its first question. */
export interface LaidMaps extends MapSpec {
  maps: readonly { name: string; form: ChartForm; records: readonly Record<string, unknown>[] }[]
  /** Charts whose rows are not there. */
  lacking: number
}

/** The layers of all charts as one map, with their answers under names of their own. */
export async function laid(
  { maps, lacking, ...spec }: LaidMaps,
  { locale, timeZone, say }: Surroundings,
): Promise<{ spec: MapSpec; frames: Record<string, Frame> }> {
  const frames: Record<string, Frame> = {}
  const layers: MapLayer[] = []
  let strangers = lacking
  for (const { name, form, records } of maps) {
    const opened = await openForm(form)
    const settled = opened && drawnForm(opened.chart, opened.form)
    const frame = frameOfRecords(records)
    const own = settled && opened.chart.spec({ rows: frame }, settled, lookOf(settled, { locale, timeZone }))
    if (!own || !Array.isArray(own.layers)) {
      strangers += 1
      continue
    }
    frames[name] = frame
    layers.push(...(own.layers as MapLayer[]).map((layer) => ({ ...layer, frame: name })))
  }
  const note = say(
    'picture.map.lacking',
    '{count, plural, one {# chart is} other {# charts are}} not shown: deleted, not accessible or not a map.',
    { count: strangers },
  )
  return { spec: { ...spec, layers, notes: [...spec.notes, ...(strangers > 0 ? [note] : [])] }, frames }
}

function frameOfRecords(records: readonly Record<string, unknown>[]): Frame {
  const names = Object.keys(records[0] ?? {})
  return {
    rows: records.length,
    columns: names.map((name) =>
      columnOf(
        records.map((record) => (record[name] ?? null) as string | null),
        name,
      ),
    ),
  }
}
