import { AppError, type RelatedQuery } from '@parquetry/model'
import type { readingRoutes } from '@parquetry/model'
import type { TSchema } from 'typebox'
import type { App } from './app.ts'
import type { Principal } from '../access/principal.ts'
import { distinct, related } from './related.ts'
import { info, list, type ReadContext, type Resource, show, visibleRow } from './resource.ts'
import { serve } from './serve.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

type ReadingRoutes = ReturnType<typeof readingRoutes<string, string, TSchema, TSchema>>

export const readContext = ({ deps }: App, principal: Principal): ReadContext => ({
  db: deps.db,
  principal,
  ...readViewerRules(deps.settings),
  now: deps.now(),
  hasTags: deps.settings.flags['TAGGING_SYSTEM'] === true,
  linkQuotaMb: deps.settings.config.LINK_QUOTA_MB,
})

/** Serves the standard reading routes of a resource, as far as `routes` contains them. */
export function serveReading<Row extends { id: number; changed_on?: string }>(
  app: App,
  routes: Partial<ReadingRoutes>,
  resource: Resource<Row>,
): void {
  const { list: lists, item, info: infos, related: relates, distinct: distincts } = routes
  if (lists) serve(app, lists, ({ rison, principal }) => list(resource, rison, readContext(app, principal)))
  if (item)
    serve(app, item, async ({ params, rison, principal, reply }) => {
      const context = readContext(app, principal)
      const row = await visibleRow<Row>(resource, params.id, context)
      if (row.changed_on !== undefined) reply.header('etag', formatEtag(row.changed_on))
      return show(resource, row, rison, context)
    })
  if (infos) serve(app, infos, ({ rison, principal }) => info(resource, rison, principal))
  const hidden = app.deps.settings.config.EXCLUDE_USERS_FROM_LISTS
  if (relates)
    serve(app, relates, ({ params, rison, principal }) => {
      const source = Object.hasOwn(resource.related, params.column) ? resource.related[params.column] : undefined
      if (!source) throw new AppError('not_found')
      return related(source, rison as RelatedQuery, readContext(app, principal), hidden)
    })
  if (distincts && resource.distinct.length > 0)
    serve(app, distincts, ({ params, rison, principal }) => {
      if (!resource.distinct.includes(params.column)) throw new AppError('not_found')
      return distinct(resource, params.column, rison as RelatedQuery, readContext(app, principal))
    })
}

/** ETag of an object: its time of change. */
export const formatEtag = (changedOn: string): string => `"${changedOn}"`

/**
 * Refuses to overwrite a change that the caller has not seen, if the caller states what they have seen.
 * @param ifMatch  `If-Match` of the request
 * @param changedOn  `changed_on` of the body
 * @returns the `changed_on` that the row must still have (`seen` of `Change`); undefined when none was sent
 * @throws AppError `conflict`
 */
export function refuseStale(
  row: { changed_on: string },
  ifMatch: string | undefined,
  changedOn: string | undefined,
): string | undefined {
  const etags =
    ifMatch === undefined || ifMatch.trim() === '*'
      ? []
      : ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''))
  const isStale =
    (etags.length > 0 && !etags.includes(formatEtag(row.changed_on))) ||
    (changedOn !== undefined && changedOn !== row.changed_on)
  if (isStale) throw new AppError('conflict')
  return etags.length > 0 || changedOn !== undefined ? row.changed_on : undefined
}
