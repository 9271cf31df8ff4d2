import Type, { type Static } from 'typebox'
import type { AnnotationResults } from './annotation-data.ts'
import type { WireError } from './errors.ts'
import type { RunHeader } from './plan.ts'
import { recordSchema } from './record-schema.ts'
import { defineRoute } from './route.ts'

const open = { additionalProperties: true } as const

/** What one filter or one clicked chart contributes; fields as the API spells them. */
export const DataMaskEntry = Type.Object(
  {
    id: Type.Optional(Type.String()),
    extraFormData: Type.Optional(recordSchema(Type.Unknown())),
    filterState: Type.Optional(recordSchema(Type.Unknown())),
    ownState: Type.Optional(recordSchema(Type.Unknown())),
  },
  open,
)
export type DataMaskEntry = Static<typeof DataMaskEntry>

/** Filter id (`NATIVE_FILTER-x`) or chart id as text -> its entry. */
export const DataMask = recordSchema(DataMaskEntry)
export type DataMask = Static<typeof DataMask>

/**
 * Body of `POST /api/v1/dashboard/{id}/data`. Charts are answered in the order asked, those in view first; no more than a dashboard
 * can have.
 * `form_data` is the form of a chart that is not saved so (needs the right to edit the dashboard); without it the saved form
 * counts. `state` is the chart’s own part of the mask (page, sort, search). The server applies `data_mask` by the scopes that
 * the stored dashboard gives its filters: `extraFormDataFor` (dashboard-filters.ts) says which entries reach a chart.
 */
export const DashboardDataRequest = Type.Object(
  {
    charts: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          form_data: Type.Optional(recordSchema(Type.Unknown())),
          state: Type.Optional(recordSchema(Type.Unknown())),
        },
        { additionalProperties: false },
      ),
      { maxItems: 2000 },
    ),
    data_mask: Type.Optional(DataMask),
    force: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type DashboardDataRequest = Static<typeof DashboardDataRequest>

/**
 * Opens the answer of one query. The columns stand in the same message, or in the frame messages without `chart` that follow
 * it at once, so that a runner's or the cache's bytes can be sent as they are. A query may have several frames (rows in order);
 * none at all means no rows. The answers of two queries never interleave.
 */
export interface QueryHead {
  type: 'frame'
  chart: number
  /** Position in `queries[]` of the chart's query context. */
  query: number
  /** The key that the chart's `queries()` gave it. */
  name: string
  header: RunHeader
  is_cached: boolean
  /** ISO time of the run; null when it was not cached. */
  cached_dttm: string | null
  /** Up to where the answer reaches along its time axis, in milliseconds: the end of the range, or when it was read. */
  until?: number
  /** Of the data mask and the form: what took part and what did not, as `chart/data` answers them. */
  applied_filters?: { column: string }[]
  rejected_filters?: { column: string; reason: string }[]
  /** Left out by a query without annotation layers. A layer that fails harms nothing else. */
  annotations?: AnnotationResults
}

/** A frame's own head as `wire.ts` writes it: belongs to the last `QueryHead`. */
export interface FrameHead {
  type: 'frame'
  chart?: undefined
}

/** One chart could not be answered; with `query` left out none of its queries was run. */
export interface ChartErrorHead {
  type: 'error'
  chart: number
  query?: number
  error: WireError
}

/** The stream as a whole ends here and is not complete. */
export interface StreamErrorHead {
  type: 'error'
  chart?: undefined
  error: WireError
}

/** With `chart`: every query of this chart is answered or failed. Without: the last frame of one query (a runner's own mark). */
export interface EndHead {
  type: 'end'
  chart?: number
}

export interface ProgressHead {
  type: 'progress'
  /** Charts finished of those asked. */
  done: number
  of: number
}

export interface HeartbeatHead {
  type: 'beat'
}

/** The last message. Without it the client asks again for the charts that have had no `end` and no `error`. */
export interface DoneHead {
  type: 'done'
}

export type DashboardStreamHead =
  | QueryHead
  | FrameHead
  | ChartErrorHead
  | StreamErrorHead
  | EndHead
  | ProgressHead
  | HeartbeatHead
  | DoneHead

/** A `beat` is sent when nothing else was for this long; a client that has heard nothing for three of them asks again. */
export const dashboardHeartbeatMs = 10_000

export const dashboardData = defineRoute({
  method: 'POST',
  path: '/api/v1/dashboard/:id/data',
  summary: 'Streams the data of a dashboard’s charts as frame messages',
  params: Type.Object({ id: Type.String() }),
  body: DashboardDataRequest,
  reply: 'stream',
  can: ['can_read', 'Dashboard'],
  object: 'the dashboard; each chart’s dataset',
  rate: 'query',
  audit: 'dashboard.data',
  csrf: 'same-origin',
  errors: 'typed',
  fails: ['not_found', 'forbidden', 'invalid_payload'],
})
