import type { Frame } from '@parquetry/frame'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { baseQuery } from '../query/base-query.ts'
import { readForm } from '../read-form.ts'
import type { TimeBounds, LegacyType, RowsType } from './type.ts'
import {
  calHeatmap,
  chord,
  countryMap,
  distBar,
  heatmap,
  sankey,
  sunburst,
  timeTable,
  treemap,
} from './types/crossed.ts'
import { deckMulti, lineMulti } from './types/layered.ts'
import { dualLine, pairedTtest, rose, createSeriesType } from './types/line.ts'
import { partition } from './types/partition.ts'
import { pivotTable } from './types/pivot-table.ts'
import { deckTypes, mapbox } from './types/map-layers.ts'
import {
  bigNumber,
  bigNumberTotal,
  bubble,
  bullet,
  eventFlow,
  filterBox,
  histogram,
  para,
  table,
} from './types/rows.ts'
import { timePivot } from './types/time-pivot.ts'
import { worldMap } from './types/world-map.ts'

export type { TimeBounds, FormFilter, LayeredType, LegacyType } from './type.ts'

/**
 * Types of the legacy endpoint (`explore_json`) whose data is built from rows, by key. Newer types are not included: they use
 * `chart/data`.
 */
const rowsTypes: Record<string, RowsType> = {
  area: createSeriesType({ bySize: true, fill: 0 }),
  bar: createSeriesType({ bySize: true }),
  big_number: bigNumber,
  big_number_total: bigNumberTotal,
  bubble,
  bullet,
  cal_heatmap: calHeatmap,
  chord,
  compare: createSeriesType(),
  country_map: countryMap,
  dist_bar: distBar,
  dual_line: dualLine,
  event_flow: eventFlow,
  filter_box: filterBox,
  heatmap,
  histogram,
  horizon: createSeriesType(),
  line: createSeriesType(),
  mapbox,
  paired_ttest: pairedTtest,
  para,
  partition,
  pivot_table: pivotTable,
  rose,
  sankey,
  sunburst,
  table,
  time_pivot: timePivot,
  time_table: timeTable,
  treemap,
  world_map: worldMap,
  ...deckTypes,
}
const types: Record<string, LegacyType> = { ...rowsTypes, line_multi: lineMulti, deck_multi: deckMulti }

/** Types whose data is built from rows. */
export const legacyTypes: readonly string[] = Object.keys(rowsTypes)

/** Returns undefined for a type that the legacy endpoint does not support. */
export const legacyType = (viz_type: unknown): LegacyType | undefined =>
  typeof viz_type === 'string' && Object.hasOwn(types, viz_type) ? types[viz_type] : undefined

/**
 * Builds the query of a legacy form as the legacy endpoint does.
 * @param stored  includes the filters of dashboards among its own
 * @throws AppError `bad_request` with a message
 */
export function legacyQuery(type: LegacyType, stored: ChartForm, ends: TimeBounds): QueryObject {
  const form = readForm(stored)
  const { columns: _, metrics: __, orderby: ___, ...shared } = baseQuery(form)
  const own = type.query(form, ends)
  return { ...shared, ...own, extras: { ...shared.extras, ...own.extras } } as QueryObject
}

/**
 * Returns `data` of the legacy response as JSON, and the names of its columns if they differ from those of the rows.
 * @throws AppError `unsupported`, `bad_request`
 */
export async function legacyData(
  frame: Frame,
  stored: ChartForm,
  ends: TimeBounds,
): Promise<{ json: string; colnames: string[] | undefined }> {
  const type = legacyType(stored.viz_type)
  if (!type || !('data' in type))
    throw new AppError('unsupported', {
      message: message('errors.legacy.chartType', 'This endpoint does not support this chart type.'),
    })
  const form = readForm(stored)
  await type.load?.()
  return {
    json: JSON.stringify(frame.rows === 0 ? null : type.data(frame, form, ends), withBigints),
    colnames: type.colnames?.(frame, form),
  }
}

/** Writes integers beyond 2^53 with all digits. */
const withBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? rawJson(String(value)) : value)

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }
