import { CssTemplateBody } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { anyContains, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { auditColumns } from '../http/column-resolvers.ts'
import { relatedUsers } from '../http/related.ts'
import type { Resource } from '../http/resource.ts'
import type { CssTemplateTable } from '../store/tables.ts'

export type CssTemplateRow = Selectable<CssTemplateTable>

const columns = ['css', 'id', 'template_name']
const created = ['created_on', 'created_by.first_name', 'created_by.id', 'created_by.last_name']
const changed = ['changed_on_delta_humanized', 'changed_by.first_name', 'changed_by.id', 'changed_by.last_name']

/** Resource definition of `/api/v1/css_template/`. Users with the permission see all templates. */
export const cssTemplateResource: Resource<CssTemplateRow> & { kind: 'css_template' } = {
  kind: 'css_template',
  title: 'Css Template',
  view: 'CssTemplate',
  list: { announced: [...changed, ...created, ...columns], unannounced: ['uuid', 'changed_on'] },
  show: { announced: [...created.slice(1), ...columns], unannounced: ['uuid', 'changed_on', 'created_on', ...changed] },
  order: { template_name: 'css_template.template_name' },
  defaultOrder: ['template_name', 'asc'],
  filters: {
    created_by: toOneFilter('css_template.created_by_fk', 'user'),
    changed_by: toOneFilter('css_template.changed_by_fk', 'user'),
    created_on: timeFilter('css_template.created_on'),
    changed_on: timeFilter('css_template.changed_on'),
    template_name: [
      ...textFilter('css_template.template_name'),
      anyContains('css_template_all_text', 'All Text', ['css_template.template_name', 'css_template.css']),
    ],
    css: textFilter('css_template.css'),
  },
  resolvers: auditColumns<CssTemplateRow>(),
  related: { created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  bodies: { add: CssTemplateBody, edit: CssTemplateBody },
}
