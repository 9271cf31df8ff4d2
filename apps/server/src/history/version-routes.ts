import {
  AppError,
  diffVersions,
  versionedKinds,
  type VersionedKind,
  type Version,
  versionRoutesByKind,
} from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { inferColumnTypes } from '../chart/infer-column-types.ts'
import { readChartDocument } from '../chart/save-chart.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { readDashboardDocument } from '../dashboard/save-dashboard.ts'
import { readDatasetDocument } from '../dataset/save-dataset.ts'
import type { App } from '../http/app.ts'
import { userColumn } from '../http/column-resolvers.ts'
import { resolvePage } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changeableRow } from './kinds.ts'
import { restoreVersion } from './restore.ts'
import { HistoryRedactor } from './history-redactor.ts'
import { countVersions, type VersionDocument, type VersionedRow, readVersion, readVersions } from './version-rows.ts'

const pageSize = 20
const documents = { dashboard: readDashboardDocument, chart: readChartDocument, dataset: readDatasetDocument }
const authors = userColumn<{ author_id: number | null }>('author_id')

/** `/api/v1/{dashboard,chart,dataset}/{id}/versions/`. */
export function versionRoutes(app: App, deps: ChartDeps): void {
  for (const kind of versionedKinds) serveVersions(app, deps, kind)
}

function serveVersions(app: App, deps: ChartDeps, kind: VersionedKind): void {
  const routes = versionRoutesByKind[kind]
  const openHistory = async (principal: Principal, id: string) => {
    const context = readContext(app, principal)
    return { context, redactor: new HistoryRedactor(context), row: await changeableRow(context, kind, id) }
  }
  const readCurrent = async ({ id }: VersionedRow) => ((await documents[kind](deps.db, id)) ?? {}) as VersionDocument

  serve(app, routes.list, async ({ params, query, principal }) => {
    const { context, redactor, row } = await openHistory(principal, params.id)
    const { offset } = resolvePage({ page: query.page ?? 0, page_size: pageSize })
    const found = await readVersions(deps.db, kind, row, { limit: pageSize, offset })
    const page = found.slice(0, pageSize)
    const [current, users, yielder] = [await readCurrent(row), await authors(page, context), new EventLoopYielder()]
    const result: Version[] = []
    for (const [index, { n, at, document }] of page.entries()) {
      const before = found[index + 1]?.document ?? null
      const isWithheld = await redactor.isWithheld(kind, document, current)
      const isFullyVisible = !isWithheld && !(before && (await redactor.isWithheld(kind, before, current)))
      const differences = isFullyVisible ? await redactor.redactDifferences(diffVersions(kind, before, document)) : []
      result.push({ n, at, author: (users[index] ?? null) as Version['author'], differences, is_withheld: isWithheld })
      await yielder.yieldIfDue()
    }
    return { count: await countVersions(deps.db, kind, row), result }
  })

  serve(app, routes.item, async ({ params, principal }) => {
    const { context, redactor, row } = await openHistory(principal, params.id)
    const version = await readVersion(deps.db, kind, row, params.n)
    if (await redactor.isWithheld(kind, version.document, await readCurrent(row))) throw new AppError('not_found')
    const [author] = await authors([version], context)
    const { n, at } = version
    const result = await redactor.redactDocument(kind, version.document)
    return { n, at, author: (author ?? null) as Version['author'], result: result as Record<string, unknown> }
  })

  serve(app, routes.restore, async ({ params, body, principal, event, signal }) => {
    const { context, redactor, row } = await openHistory(principal, params.id)
    const { document } = await readVersion(deps.db, kind, row, params.n)
    const today = await readCurrent(row)
    if (await redactor.isWithheld(kind, document, today)) throw new AppError('not_found')
    event.json = { id: row.id, n: params.n }
    await restoreVersion({ ...context, event, deps, signal }, kind, row, { document, today, seen: body.changed_on })
    if (kind === 'dataset') await inferColumnTypes({ deps, principal, signal }, row.id)
    return { id: row.id }
  })
}
