import Type, { type Static } from 'typebox'
import { AnyObject, flag, ids, nullish, openObject, optional, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Field `data` of the form: settings of `json_metadata` with the layout as `positions`, and columns of the dashboard. */
export const LegacyDashboard = openObject({
  dashboard_title: nullish(text(0, 500)),
  css: nullish(text()),
  /** In seconds since 1970: a later change by others is not overwritten. */
  last_modified_time: nullish(Type.Number()),
  duplicate_slices: optional(flag()),
  positions: nullish(AnyObject),
})
export type LegacyDashboard = Static<typeof LegacyDashboard>

const write = {
  method: 'POST',
  params: Type.Object({ dashboard_id: Type.Integer() }),
  body: LegacyDashboard,
  formField: 'data',
  rate: 'write',
  csrf: 'token',
  errors: 'legacy',
  bodyLimit: 8 << 20,
} as const

/** Field `data` of the form. */
export const AddedSlices = openObject({ slice_ids: ids() })

/** Saving and copying dashboards before `/api/v1`. They ask for the permissions of the Save menu and of today's calls. */
export const legacyDashboardRoutes = {
  save: defineRoute({
    ...write,
    path: '/superset/save_dash/:dashboard_id/',
    summary: 'Saves a dashboard for clients older than `/api/v1`',
    reply: openObject({ status: Type.String(), last_modified_time: Type.Number() }),
    can: ['can_save_dash', 'Superset'],
    object: 'the dashboard, by ownership',
    audit: 'dashboard.put',
    errorStatuses: [412],
    fails: ['invalid_payload', 'unprocessable', 'not_found', 'missing_ownership', 'conflict'],
  }),
  copy: defineRoute({
    ...write,
    path: '/superset/copy_dash/:dashboard_id/',
    summary: 'Copies a dashboard for clients older than `/api/v1`',
    reply: openObject({ id: Type.Integer(), last_modified_time: Type.Number() }),
    can: ['can_copy_dash', 'Superset'],
    object: 'the dashboard must be visible; only visible charts are copied',
    audit: 'dashboard.copy',
    fails: ['forbidden', 'invalid_payload', 'not_found', 'too_large'],
  }),
  addCharts: defineRoute({
    ...write,
    path: '/superset/add_slices/:dashboard_id/',
    summary: 'Adds charts to a dashboard, for clients older than `/api/v1`; answers the text `SLICES ADDED`',
    body: AddedSlices,
    reply: 'bytes',
    can: ['can_write', 'Dashboard'],
    object: 'the dashboard, by ownership; the charts must be visible',
    audit: 'dashboard.put',
    fails: ['invalid_payload', 'not_found', 'missing_ownership', 'forbidden'],
  }),
}
