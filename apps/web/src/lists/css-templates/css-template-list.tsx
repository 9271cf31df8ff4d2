import type { ListColumn, Translate } from '@parquetry/ui'
import { changedColumn } from '../common-columns.tsx'
import { creatorFilter } from '../common-filters.ts'
import type { ListDefinition, ListRow } from '../definition.ts'

const fields = [
  'id',
  'template_name',
  'css',
  'changed_by.first_name',
  'changed_by.last_name',
  'changed_on',
  'changed_on_delta_humanized',
] as const

export interface CssTemplateRow extends ListRow {
  template_name: string | null
  css: string | null
  changed_by: { first_name: string; last_name: string } | null
}

const editorPath = (id: number | 'new'): string =>
  `/csstemplatemodelview/list/?${id === 'new' ? 'new=true' : `edit=${id}`}`

const formatModifiedBy = ({ changed_by: by }: CssTemplateRow): string =>
  by ? `${by.first_name} ${by.last_name}`.trim() : ''

/** The API sorts templates by name only. */
function withoutOrder(changed: ListColumn<CssTemplateRow>): ListColumn<CssTemplateRow> {
  const { order: _, ...column } = changed
  return column
}

export const cssTemplateList = (
  t: Translate,
  mayWrite: boolean,
  clipped: string | undefined,
): ListDefinition<CssTemplateRow> => ({
  resource: 'css_template',
  view: 'CssTemplate',
  icon: 'text',
  nouns: {
    title: t('lists.cssTemplates.title', 'CSS templates'),
    one: t('lists.cssTemplates.one', 'CSS template'),
    many: t('lists.cssTemplates.many', 'CSS templates'),
    count: (n) => t('lists.cssTemplates.count', '{n, plural, one {# CSS template} other {# CSS templates}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ template_name }) => template_name || t('lists.cssTemplates.unnamed', 'Unnamed template'),
  nameOrder: 'template_name',
  defaultSort: { column: 'template_name', direction: 'asc' },
  hrefOf: ({ id }) => editorPath(id),
  searchLabel: t('lists.cssTemplates.search', 'Search CSS templates'),
  search: (value) => ({ col: 'template_name', opr: 'css_template_all_text', value }),
  filters: [creatorFilter(t)],
  columns: [
    {
      id: 'css',
      header: t('lists.cssTemplates.css', 'CSS'),
      width: '36%',
      hideUnder: 992,
      cell: ({ css }) => (
        <span className={clipped} title={css ?? undefined}>
          {css}
        </span>
      ),
    },
    {
      id: 'changed_by',
      header: t('lists.column.changedBy', 'Modified by'),
      width: '160px',
      hideUnder: 992,
      cell: formatModifiedBy,
    },
    withoutOrder(changedColumn(t)),
  ],
  subtitle: formatModifiedBy,
  firstUse: {
    title: t('lists.cssTemplates.none', 'No CSS templates yet'),
    text: t(
      'lists.cssTemplates.noneText',
      'A CSS template is a style sheet that editors copy into the properties of a dashboard. Create one for the look of your company, for example.',
    ),
    action: { label: t('lists.cssTemplates.create', 'CSS template'), href: editorPath('new') },
  },
  create: { label: t('lists.cssTemplates.create', 'CSS template'), href: editorPath('new'), permission: 'can_write' },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
  hasExport: true,
  exportPermission: 'can_read',
  imports: 'css_template',
  menu: ({ id }, { open }) =>
    mayWrite ? [{ label: t('lists.edit', 'Edit'), icon: 'edit', shortcut: 'E', onSelect: () => open('edit', id) }] : [],
  consequence: () =>
    Promise.resolve({
      text: t(
        'lists.cssTemplates.consequence',
        'Dashboards keep the styles that were copied into them. This cannot be undone.',
      ),
    }),
})
