import { chartNodes, type Difference, type KeptKind, objectOf } from '@parquetry/model'
import { sql } from 'kysely'
import { type AccessContext, chartAccess, mayReadData } from '../access/access.ts'
import type { Document } from './version-rows.ts'

/**
 * What of a history its reader may know. Who owns an object today need not have been let see what stood in it before: a chart that
 * read another dataset, a chart that was on a dashboard.
 */
export class Told {
  private readonly context: AccessContext
  private readonly datasets = new Map<number, Promise<boolean>>()
  constructor(context: AccessContext) {
    this.context = context
  }

  /** Whether a version stands on data that the reader may not read. A chart of today's dataset is shown to its owner anyway. */
  async isWithheld(kind: KeptKind, document: Document, today: Document): Promise<boolean> {
    if (kind !== 'chart') return false
    const id = Number(document['datasource_id'])
    if (id === Number(today['datasource_id'])) return false
    const known = this.datasets.get(id) ?? mayReadData(this.context, id)
    this.datasets.set(id, known)
    return !(await known)
  }

  /** Of these charts those whose name the reader may know. */
  private async named(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set()
    const access = chartAccess(this.context.principal)
    if (!access) return new Set(ids)
    const { rows } = await sql<{ id: number }>`
      select chart.id from chart where chart.id in (${sql.join([...new Set(ids)])}) and ${access}`.execute(
      this.context.db,
    )
    return new Set(rows.map(({ id }) => id))
  }

  /** Differences without the names of charts that the reader may not see. */
  async differences(found: readonly Difference[]): Promise<Difference[]> {
    const named = await this.named(found.flatMap(({ chart }) => chart ?? []))
    return found.map(({ name, ...rest }) => ({
      ...rest,
      ...(name !== undefined && (rest.chart === undefined || named.has(rest.chart)) && { name }),
    }))
  }

  /** The document without them. */
  async document(kind: KeptKind, document: Document): Promise<Document> {
    if (kind !== 'dashboard') return document
    const positions = objectOf(document['position_json'])
    const named = await this.named(chartNodes(positions).map(({ chartId }) => chartId))
    const nodes = Object.entries(positions).map(([id, node]): [string, unknown] => {
      const [chart] = chartNodes({ node })
      if (!chart || named.has(chart.chartId)) return [id, node]
      const { sliceName: _, sliceNameOverride: _own, uuid: _uuid, ...meta } = objectOf(objectOf(node)['meta'])
      return [id, { ...objectOf(node), meta }]
    })
    return { ...document, position_json: JSON.stringify(Object.fromEntries(nodes)) }
  }
}
