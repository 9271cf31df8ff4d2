import Type, { type Static } from 'typebox'
import { body, flag, nullish, openObject, optional, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** In CSS pixels. */
const Size = Type.Array(Type.Integer({ minimum: 100, maximum: 4000 }), { minItems: 2, maxItems: 2 })
const ScreenshotQuery = openObject({
  force: optional(flag()),
  window_size: optional(Size),
  thumb_size: optional(Type.Array(Type.Integer(), { maxItems: 2 })),
})

/** Filters and tabs of the dashboard in a screenshot, as in a permalink. */
export const DashboardScreenshotPost = body({
  dataMask: nullish(Type.Record(Type.String(), Type.Unknown())),
  activeTabs: nullish(Type.Array(Type.String(), { maxItems: 1000 })),
  anchor: nullish(text()),
  urlParams: nullish(Type.Array(Type.Array(Type.Unknown()))),
  permalinkKey: nullish(text()),
})
export type DashboardScreenshotPost = Static<typeof DashboardScreenshotPost>

const Started = openObject({
  cache_key: text(),
  chart_url: optional(text()),
  dashboard_url: optional(text()),
  image_url: text(),
  task_status: text(),
  task_updated_at: text(),
})

const ById = Type.Object({ id: Type.String() })
const ByDigest = Type.Object({ id: Type.String(), digest: Type.String() })
const started = {
  success: [200, 202],
  reply: Started,
  params: ById,
  rate: 'query',
  errors: 'plain',
  audit: 'none',
} as const
const image = {
  method: 'GET',
  success: [200, 202, 304],
  params: ByDigest,
  body: 'none',
  reply: 'stream',
  rate: 'query',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [
    'not_found',
    'dataset_access',
    'unsupported',
    'invalid_query',
    'query_failed',
    'result_too_large',
    'query_timeout',
  ],
} as const

export const chartScreenshots = {
  cacheScreenshot: defineRoute({
    ...started,
    method: 'GET',
    path: '/api/v1/chart/:id/cache_screenshot/',
    summary: 'Starts to draw a screenshot of a chart, and returns its address; requires the feature flag THUMBNAILS',
    body: 'none',
    rison: ScreenshotQuery,
    can: ['can_read', 'Chart'],
    object: 'the chart must be visible',
    csrf: 'none',
    fails: ['not_found', 'bad_request', 'method_not_allowed'],
  }),
  screenshot: defineRoute({
    ...image,
    path: '/api/v1/chart/:id/screenshot/:digest/',
    summary:
      'Returns a screenshot that the caller started, or 202 while it is drawn; requires the feature flag THUMBNAILS',
    can: ['can_read', 'Chart'],
    object: 'the chart must be visible; screenshots of the caller only',
    fails: [...image.fails, 'method_not_allowed'],
  }),
}

export const dashboardScreenshots = {
  cacheScreenshot: defineRoute({
    ...started,
    method: 'POST',
    path: '/api/v1/dashboard/:id/cache_dashboard_screenshot/',
    summary:
      'Starts to draw a screenshot of a dashboard, and returns its address; requires the feature flag THUMBNAILS',
    body: DashboardScreenshotPost,
    rison: ScreenshotQuery,
    can: ['can_cache_dashboard_screenshot', 'Dashboard'],
    object: 'the dashboard must be visible',
    csrf: 'same-origin',
    fails: ['not_found', 'bad_request'],
  }),
  screenshot: defineRoute({
    ...image,
    path: '/api/v1/dashboard/:id/screenshot/:digest/',
    summary:
      'Returns a screenshot that the caller started, as PNG or PDF, or 202 while it is drawn; requires the feature flag THUMBNAILS',
    query: openObject({ download_format: optional(text()) }),
    can: ['can_read', 'Dashboard'],
    object: 'the dashboard must be visible; screenshots of the caller only',
  }),
}
