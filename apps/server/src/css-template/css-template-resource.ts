import { CssTemplateBody } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { anyContains, text, time, toOne } from '../http/filters.ts'
import { audited } from '../http/heads.ts'
import { people } from '../http/related.ts'
import type { Resource } from '../http/resource.ts'
import type { CssTemplateTable } from '../store/tables.ts'

export type CssTemplateRow = Selectable<CssTemplateTable>

const columns = ['css', 'id', 'template_name']
const created = ['created_on', 'created_by.first_name', 'created_by.id', 'created_by.last_name']
const changed = ['changed_on_delta_humanized', 'changed_by.first_name', 'changed_by.id', 'changed_by.last_name']

/** How `/api/v1/css_template/` reads templates: whoever may use them sees all. */
export const cssTemplateResource: Resource<CssTemplateRow> & { kind: 'css_template' } = {
  kind: 'css_template',
  title: 'Css Template',
  view: 'CssTemplate',
  list: { announced: [...changed, ...created, ...columns], later: ['uuid', 'changed_on'] },
  show: { announced: [...created.slice(1), ...columns], later: ['uuid', 'changed_on', 'created_on', ...changed] },
  order: { template_name: 'css_template.template_name' },
  defaultOrder: ['template_name', 'asc'],
  filters: {
    created_by: toOne('css_template.created_by_fk', 'user'),
    changed_by: toOne('css_template.changed_by_fk', 'user'),
    created_on: time('css_template.created_on'),
    changed_on: time('css_template.changed_on'),
    template_name: [
      ...text('css_template.template_name'),
      anyContains('css_template_all_text', 'All Text', ['css_template.template_name', 'css_template.css']),
    ],
    css: text('css_template.css'),
  },
  heads: audited<CssTemplateRow>(),
  related: { created_by: people(), changed_by: people() },
  distinct: [],
  bodies: { add: CssTemplateBody, edit: CssTemplateBody },
}
