import Type, { type Static } from 'typebox'
import type { AnnotationResults } from './annotation-data.ts'
import type { WireError } from './errors.ts'
import type { RunHeader } from './plan.ts'
import { recordSchema } from './record-schema.ts'
import { defineRoute } from './route.ts'

const open = { additionalProperties: true } as const

/** Contribution of one filter or one clicked chart, with the field names of the API. */
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

/** Entry by filter id (`NATIVE_FILTER-x`) or chart id as text. */
export const DataMask = recordSchema(DataMaskEntry)
export type DataMask = Static<typeof DataMask>

/**
 * Body of `POST /api/v1/dashboard/{id}/data`. Charts are processed in the requested order, visible ones first; the number is
 * limited to that of a dashboard. `form_data` is an unsaved form of a chart (requires the right to edit the dashboard) and
 * defaults to the saved form. `state` is the chart’s own part of the mask (page, sort, search). The server applies `data_mask`
 * with the filter scopes of the stored dashboard: `collectExtraFormData` (dashboard-filters.ts) determines which entries reach a
 * chart. `force` queries again. `refresh_interval`, in seconds, is sent by timed refreshes: the first in each interval queries
 * again, and the others get its results. Intervals begin at multiples of their length since 1970.
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
    refresh_interval: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)
export type DashboardDataRequest = Static<typeof DashboardDataRequest>

/**
 * Starts the result of one query. The columns are in the same message or in the frame messages without `chart` that directly
 * follow it, so that bytes of a runner or the cache can be forwarded unchanged. A query may have several frames (rows in order);
 * no frame means no rows. Results of two queries never interleave.
 */
export interface QueryHead {
  type: 'frame'
  chart: number
  /** Position in `queries[]` of the chart's query context. */
  query: number
  /** Key of the query in the result of the chart's `queries()`. */
  name: string
  header: RunHeader
  is_cached: boolean
  /** ISO time when the query ran; null when the result is not from the cache. */
  cached_dttm: string | null
  /** End of the data on the time axis, in milliseconds: the end of the range, or the time when it was read. */
  until?: number
  /** Filters of the data mask and the form that were applied or rejected, as in `chart/data`. */
  applied_filters?: { column: string }[]
  rejected_filters?: { column: string; reason: string }[]
  /** Omitted by queries without annotation layers. A failed layer does not affect the others. */
  annotations?: AnnotationResults
}

/** The head of a frame written by `wire.ts`; belongs to the preceding `QueryHead`. */
export interface FrameHead {
  type: 'frame'
  chart?: undefined
}

/** One chart failed. Without `query`, none of its queries was run. */
export interface ChartErrorHead {
  type: 'error'
  chart: number
  query?: number
  error: WireError
}

/** The stream ends early and is incomplete. */
export interface StreamErrorHead {
  type: 'error'
  chart?: undefined
  error: WireError
}

/** With `chart`: all queries of this chart are finished or failed. Without: the last frame of one query (sent by a runner). */
export interface EndHead {
  type: 'end'
  chart?: number
}

export interface ProgressHead {
  type: 'progress'
  /** Number of charts finished, out of `of`. */
  done: number
  of: number
}

export interface HeartbeatHead {
  type: 'beat'
}

/** The last message. If it is missing, the client requests the charts without `end` or `error` again. */
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

/**
 * Interval after which a `beat` is sent when there was no other message. A client retries after three intervals without a
 * message.
 */
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
