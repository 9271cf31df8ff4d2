import { listChartNodes, type Difference, type VersionedKind, parseJsonObject } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { type AccessContext, chartAccess, canReadData } from '../access/access.ts'
import type { VersionDocument } from './version-rows.ts'

/**
 * Redacts a history for its reader. The current owner of an object may not be allowed to see everything that it contained before,
 * such as another dataset of a chart or a chart of a dashboard.
 */
export class HistoryRedactor {
  private readonly context: AccessContext
  private readonly datasets = new Map<number, Promise<boolean>>()
  constructor(context: AccessContext) {
    this.context = context
  }

  /** Tests if a version uses data that the reader may not read. A chart on the current dataset is shown to its owner anyway. */
  async isWithheld(kind: VersionedKind, document: VersionDocument, current: VersionDocument): Promise<boolean> {
    if (kind !== 'chart') return false
    const id = Number(document['datasource_id'])
    return id !== Number(current['datasource_id']) && !(await this.canRead(id))
  }

  private canRead(dataset: number): Promise<boolean> {
    const isReadable = this.datasets.get(dataset) ?? canReadData(this.context, dataset)
    this.datasets.set(dataset, isReadable)
    return isReadable
  }

  /** Current names of those charts that the reader may see. */
  private async findVisibleCharts(ids: readonly number[]): Promise<Map<number, string | null>> {
    if (ids.length === 0) return new Map()
    const access = chartAccess(this.context.principal) ?? sql<SqlBool>`1 = 1`
    const { rows } = await sql<{ id: number; slice_name: string }>`
      select chart.id, chart.slice_name from chart where chart.id in (${sql.join([...new Set(ids)])}) and ${access}`.execute(
      this.context.db,
    )
    const names = new Map<number, string | null>(rows.map(({ id, slice_name }) => [id, slice_name]))
    // For purged charts it is unknown who could see them, so only administrators see their names.
    if (this.context.principal.isAdmin) for (const id of ids) if (!names.has(id)) names.set(id, null)
    return names
  }

  /** Differences without the names of charts that the reader may not see. */
  async redactDifferences(found: readonly Difference[]): Promise<Difference[]> {
    const visibleNames = await this.findVisibleCharts(found.flatMap(({ chart }) => chart ?? []))
    return found.map(({ name, ...rest }) => {
      if (rest.chart === undefined) return { ...rest, ...(name !== undefined && { name }) }
      const shownName = visibleNames.has(rest.chart) ? (name ?? visibleNames.get(rest.chart)) : undefined
      return { ...rest, ...(shownName != null && { name: shownName }) }
    })
  }

  /** The document without those names; for a chart, without the name of a dataset that the reader may not read. */
  async redactDocument(kind: VersionedKind, document: VersionDocument): Promise<VersionDocument> {
    if (kind === 'chart' && !(await this.canRead(Number(document['datasource_id']))))
      return { ...document, datasource_name: null }
    if (kind !== 'dashboard') return document
    const positions = parseJsonObject(document['position_json'])
    const visibleNames = await this.findVisibleCharts(listChartNodes(positions).map(({ chartId }) => chartId))
    const nodes = Object.entries(positions).map(([id, node]): [string, unknown] => {
      const [chart] = listChartNodes({ node })
      const shownName = chart && visibleNames.get(chart.chartId)
      if (chart && shownName != null && chart.meta?.['sliceName'] == null)
        return [
          id,
          {
            ...parseJsonObject(node),
            meta: { ...parseJsonObject(parseJsonObject(node)['meta']), sliceName: shownName },
          },
        ]
      if (!chart || visibleNames.has(chart.chartId)) return [id, node]
      const {
        sliceName: _,
        sliceNameOverride: _own,
        uuid: _uuid,
        ...meta
      } = parseJsonObject(parseJsonObject(node)['meta'])
      return [id, { ...parseJsonObject(node), meta }]
    })
    return { ...document, position_json: JSON.stringify(Object.fromEntries(nodes)) }
  }
}
