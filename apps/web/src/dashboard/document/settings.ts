import { isDeepEqual, type DashboardPut } from '@parquetry/model'
import type { DashboardDocument, DashboardRecord, Metadata } from './read-dashboard.ts'
import { certification } from './save-body.ts'

/** Editable fields of a dashboard besides its title, which is part of the layout. */
export type EditableFields = Pick<
  DashboardRecord,
  'slug' | 'css' | 'theme' | 'published' | 'certified_by' | 'certification_details' | 'editors' | 'roles' | 'tags'
>

/** Editable parts of a dashboard besides its layout, with which they share undo steps, drafts and saves. */
export interface DashboardSettings {
  readonly fields: EditableFields
  readonly metadata: Metadata
}

export function dashboardSettingsOf({
  result,
  metadata,
}: Pick<DashboardDocument, 'result' | 'metadata'>): DashboardSettings {
  const { slug, css, theme, published, certified_by, certification_details, editors, roles, tags } = result
  const fields = { slug, css, theme, published, certified_by, certification_details, editors, roles, tags }
  return { fields: fields as EditableFields, metadata }
}

export const withSettings = (
  dashboard: DashboardDocument,
  { fields, metadata }: DashboardSettings,
): DashboardDocument => ({
  ...dashboard,
  metadata,
  result: { ...dashboard.result, ...fields },
})

const idsOf = (list: readonly { id: number }[] | undefined) => (list ?? []).map(({ id }) => id)
const blank = (value: unknown) => (value === '' || value === undefined ? null : value)

/** Returns only the changed fields, so that users who change different fields do not conflict. */
export function changedFields(before: EditableFields, after: EditableFields, hasRoles: boolean): DashboardPut {
  const isNew = (name: keyof EditableFields) => !isDeepEqual(blank(before[name]), blank(after[name]))
  const isOther = (name: 'editors' | 'roles' | 'tags') => !isDeepEqual(idsOf(before[name]), idsOf(after[name]))
  return {
    ...(isNew('slug') && { slug: after.slug?.trim() || null }),
    ...(isNew('css') && { css: after.css ?? '' }),
    ...(isNew('theme') && { theme_id: after.theme?.id ?? null }),
    ...(isNew('published') && { published: after.published ?? false }),
    ...((isNew('certified_by') || isNew('certification_details')) &&
      certification(after.certified_by ?? '', after.certification_details ?? '')),
    ...(isOther('editors') && { editors: idsOf(after.editors) }),
    ...(after.tags !== undefined && isOther('tags') && { tags: idsOf(after.tags) }),
    ...(hasRoles && isOther('roles') && { roles: idsOf(after.roles) }),
  }
}
