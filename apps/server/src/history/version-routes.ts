import { AppError, differencesOf, keptKinds, type KeptKind, type Version, versionRoutesOf } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { learnTypes } from '../chart/learn-types.ts'
import { chartDocument } from '../chart/save-chart.ts'
import { Rests } from '../concurrency/rests.ts'
import { dashboardDocument } from '../dashboard/save-dashboard.ts'
import { datasetDocument } from '../dataset/save-dataset.ts'
import type { App } from '../http/app.ts'
import { person } from '../http/heads.ts'
import { pageOf } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changeableRow } from './kinds.ts'
import { restoreVersion } from './restore.ts'
import { Told } from './told.ts'
import { countVersions, type Document, type KeptRow, readVersion, readVersions } from './version-rows.ts'

const pageSize = 20
const documents = { dashboard: dashboardDocument, chart: chartDocument, dataset: datasetDocument }
const authors = person<{ author_id: number | null }>('author_id')

/** `/api/v1/{dashboard,chart,dataset}/{id}/versions/`. */
export function versionRoutes(app: App, deps: ChartDeps): void {
  for (const kind of keptKinds) serveVersions(app, deps, kind)
}

function serveVersions(app: App, deps: ChartDeps, kind: KeptKind): void {
  const routes = versionRoutesOf[kind]
  const opened = async (principal: Principal, id: number) => {
    const context = readContext(app, principal)
    return { context, told: new Told(context), row: await changeableRow(context, kind, id) }
  }
  const todayOf = async ({ id }: KeptRow) => ((await documents[kind](deps.db, id)) ?? {}) as Document

  serve(app, routes.list, async ({ params, query, principal }) => {
    const { context, told, row } = await opened(principal, params.id)
    const { offset } = pageOf({ page: query.page ?? 0, page_size: pageSize })
    const found = await readVersions(deps.db, kind, row, { limit: pageSize, offset })
    const shown = found.slice(0, pageSize)
    const [today, people, rests] = [await todayOf(row), await authors(shown, context), new Rests()]
    const result: Version[] = []
    for (const [index, { n, at, document }] of shown.entries()) {
      const before = found[index + 1]?.document ?? null
      const isWithheld = await told.isWithheld(kind, document, today)
      const isWhole = !isWithheld && !(before && (await told.isWithheld(kind, before, today)))
      const differences = isWhole ? await told.differences(differencesOf(kind, before, document)) : []
      result.push({ n, at, author: (people[index] ?? null) as Version['author'], differences, is_withheld: isWithheld })
      await rests.rest()
    }
    return { count: await countVersions(deps.db, kind, row), result }
  })

  serve(app, routes.item, async ({ params, principal }) => {
    const { context, told, row } = await opened(principal, params.id)
    const version = await readVersion(deps.db, kind, row, params.n)
    if (await told.isWithheld(kind, version.document, await todayOf(row))) throw new AppError('not_found')
    const [author] = await authors([version], context)
    const { n, at } = version
    const result = await told.document(kind, version.document)
    return { n, at, author: (author ?? null) as Version['author'], result: result as Record<string, unknown> }
  })

  serve(app, routes.restore, async ({ params, body, principal, event, signal }) => {
    const { context, told, row } = await opened(principal, params.id)
    const { document } = await readVersion(deps.db, kind, row, params.n)
    const today = await todayOf(row)
    if (await told.isWithheld(kind, document, today)) throw new AppError('not_found')
    event.json = { id: row.id, n: params.n }
    await restoreVersion({ ...context, event, deps, signal }, kind, row, { document, today, seen: body.changed_on })
    if (kind === 'dataset') await learnTypes({ deps, principal, signal }, row.id)
    return { id: row.id }
  })
}
