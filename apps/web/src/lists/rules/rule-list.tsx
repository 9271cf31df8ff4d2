import { StatusChip, type Translate } from '@parquetry/ui'
import type { RuleType } from '@parquetry/model'
import { formatNumber } from '../../shared/formats.ts'
import { i18n } from '../../shared/intl.ts'
import { changedColumn } from '../common-columns.tsx'
import type { ListDefinition, ListRow } from '../definition.ts'
import type { Subject } from './subjects.ts'

const fields = [
  'id',
  'name',
  'filter_type',
  'tables.id',
  'tables.table_name',
  'subjects.id',
  'subjects.label',
  'subjects.type',
  'clause',
  'group_key',
  'is_checked',
  'changed_on',
  'changed_on_delta_humanized',
] as const

export interface RuleRow extends ListRow {
  name: string
  filter_type: RuleType
  tables: { id: number; table_name: string }[]
  subjects: Subject[]
  clause: string
  group_key: string | null
  is_checked: boolean
}

const formatList = (names: readonly string[]): string => new Intl.ListFormat(i18n.locale).format(names)

/** Names few subjects, and counts the others. */
function listSubjects(subjects: readonly Subject[]): string {
  const max = 4
  const names = subjects.map(({ label }) => label)
  if (names.length <= max) return formatList(names)
  return formatList([...names.slice(0, max - 1), `+${formatNumber(names.length - max + 1)}`])
}

const create = '/rowlevelsecurity/list/?new=true'

/** Says in one sentence who sees what: "Gamma sees only rows where region = 'North'". */
export function describeRule(
  t: Translate,
  { filter_type, subjects, clause }: Pick<RuleRow, 'filter_type' | 'subjects' | 'clause'>,
): string {
  const values = { subjects: listSubjects(subjects), count: subjects.length, clause }
  if (filter_type === 'Regular')
    return t(
      'lists.rules.regularSentence',
      '{count, plural, =0 {No user is restricted} other {For {subjects}: only rows where {clause}}}',
      values,
    )
  return t(
    'lists.rules.baseSentence',
    '{count, plural, =0 {All users see only rows where {clause}} other {All users but {subjects} see only rows where {clause}}}',
    values,
  )
}

export const ruleTypeLabel = (t: Translate, type: RuleType): string =>
  type === 'Regular' ? t('lists.rules.regular', 'Regular') : t('lists.rules.base', 'Base')

export const ruleList = (t: Translate, mayWrite: boolean, clipped: string | undefined): ListDefinition<RuleRow> => ({
  resource: 'rowlevelsecurity',
  view: 'Row Level Security',
  icon: 'lock',
  nouns: {
    title: t('lists.rules.title', 'Row-level security'),
    one: t('lists.rules.one', 'row-level security rule'),
    many: t('lists.rules.many', 'row-level security rules'),
    count: (n) => t('lists.rules.count', '{n, plural, one {# rule} other {# rules}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ name }) => name,
  nameOrder: 'name',
  hrefOf: ({ id }) => `/rowlevelsecurity/list/?edit=${id}`,
  searchLabel: t('lists.rules.search', 'Search names and clauses'),
  search: (value) => ({ col: 'name', opr: 'rls_all_text', value }),
  filters: [
    {
      name: 'table',
      label: t('lists.rules.dataset', 'Dataset'),
      kind: 'related',
      column: 'tables',
      toApi: (value) => [{ col: 'tables', opr: 'rel_m_m', value: Number(value) }],
    },
    {
      name: 'subject',
      label: t('lists.rules.subject', 'User, role or group'),
      kind: 'related',
      column: 'subjects',
      toApi: (value) => [{ col: 'subjects', opr: 'rel_m_m', value: Number(value) }],
    },
  ],
  columns: [
    {
      id: 'type',
      header: t('lists.column.type', 'Type'),
      order: 'filter_type',
      width: '96px',
      hideUnder: 768,
      cell: ({ filter_type }) => ruleTypeLabel(t, filter_type),
    },
    {
      id: 'datasets',
      header: t('lists.rules.datasets', 'Datasets'),
      width: '18%',
      hideUnder: 768,
      cell: ({ tables }) => (
        <Clipped className={clipped}>{formatList(tables.map(({ table_name }) => table_name))}</Clipped>
      ),
    },
    {
      id: 'sentence',
      header: t('lists.rules.effect', 'Effect'),
      order: 'clause',
      width: '34%',
      hideUnder: 992,
      cell: (row) =>
        row.is_checked ? (
          <Clipped className={clipped}>{describeRule(t, row)}</Clipped>
        ) : (
          <StatusChip tone="warning" icon="warning">
            {t('lists.rules.notChecked', 'Not checked: shows no rows')}
          </StatusChip>
        ),
    },
    {
      id: 'group',
      header: t('lists.rules.groupKey', 'Group key'),
      order: 'group_key',
      width: '110px',
      hideUnder: 1200,
      cell: ({ group_key }) => group_key,
    },
    changedColumn(t),
  ],
  subtitle: (row) => describeRule(t, row),
  wrong: ({ is_checked }) =>
    is_checked
      ? undefined
      : {
          word: t('lists.rules.notCheckedShort', 'Not checked'),
          sentence: t(
            'lists.rules.notCheckedSentence',
            'The database could not be reached when the rule was saved. It lets no rows through until you save it again.',
          ),
        },
  firstUse: {
    title: t('lists.rules.none', 'No row-level security rules yet'),
    text: t(
      'lists.rules.noneText',
      'A rule restricts which rows of a dataset users see, by their roles, groups and attributes. It applies to charts, dashboards, SQL Lab, downloads and images.',
    ),
    action: { label: t('lists.rules.create', 'Rule'), href: create },
  },
  create: { label: t('lists.rules.create', 'Rule'), href: create, permission: 'can_write' },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
  menu: ({ id }, { open }) =>
    mayWrite ? [{ label: t('lists.edit', 'Edit'), icon: 'edit', shortcut: 'E', onSelect: () => open('edit', id) }] : [],
  consequence: (rows) =>
    Promise.resolve({
      typed: true,
      text: t(
        'lists.rules.consequence',
        '{rules, plural, one {The rows that it hides become} other {The rows that they hide become}} visible immediately to all users with access to {tables}. This cannot be undone.',
        {
          rules: rows.length,
          tables: formatList([...new Set(rows.flatMap(({ tables }) => tables.map(({ table_name }) => table_name)))]),
        },
      ),
    }),
})

function Clipped({ className, children }: { className: string | undefined; children: string }) {
  return (
    <span className={className} title={children}>
      {children}
    </span>
  )
}
