import { Icon, StatusChip, toast, toastError, type Translate } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatDateTimeWithZone } from '../../shared/formats.ts'
import { hasSqlLab } from '../../shared/rights.ts'
import { canManageAccess } from './RolesDialog.tsx'
import { unsupportedText } from './connection.ts'
import { changedColumn } from '../common-columns.tsx'
import { describeAccountPowers } from './powers.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ListDefinition } from '../definition.ts'
import styles from '../lists.module.css'

const fields = [
  'id',
  'database_name',
  'backend',
  'engine_information',
  'allow_dml',
  'allow_file_upload',
  'allow_run_async',
  'last_test',
  'changed_on',
  'changed_on_delta_humanized',
] as const

export type DatabaseListRow = RowOf<'database', typeof fields>

export const databaseList = (t: Translate, mayWrite: boolean): ListDefinition<DatabaseListRow> => ({
  resource: 'database',
  view: 'Database',
  icon: 'database',
  nouns: {
    title: t('lists.databases.title', 'Databases'),
    one: t('lists.databases.one', 'database'),
    many: t('lists.databases.many', 'databases'),
    count: (n) => t('lists.databases.count', '{n, plural, one {# database} other {# databases}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ database_name }) => database_name,
  nameOrder: 'database_name',
  hrefOf: ({ id }) => (mayWrite ? `/databaseview/list/?edit=${id}` : `/superset/sqllab/?dbid=${id}`),
  searchLabel: t('lists.databases.search', 'Search databases'),
  search: (value) => ({ col: 'database_name', opr: 'ct', value }),
  filters: [
    {
      name: 'upload',
      label: t('lists.filter.upload', 'Allows uploads'),
      kind: 'toggle',
      toApi: () => [{ col: 'allow_file_upload', opr: 'upload_is_enabled', value: true }],
    },
    {
      name: 'sqllab',
      label: t('lists.filter.sqllab', 'In SQL Lab'),
      kind: 'toggle',
      toApi: () => [{ col: 'expose_in_sqllab', opr: 'eq', value: true }],
    },
  ],
  columns: [
    {
      id: 'engine',
      header: t('lists.column.engine', 'Engine'),
      width: '160px',
      hideUnder: 1200,
      cell: ({ backend, engine_information: { unsupported } }) =>
        unsupported === undefined ? (
          <StatusChip icon="database">{backend}</StatusChip>
        ) : (
          <StatusChip icon="warning" tone="warning" title={unsupportedText(unsupported, t)}>
            {unsupported}
          </StatusChip>
        ),
    },
    ...(mayWrite ? [testColumn(t)] : []),
    yesColumn('allow_file_upload', t('lists.column.upload', 'File uploads'), t),
    yesColumn('allow_run_async', t('lists.column.async', 'Background'), t),
    changedColumn(t),
  ],
  subtitle: ({ backend, last_test, engine_information: { unsupported } }) =>
    unsupported !== undefined
      ? `${unsupported} · ${t('lists.databases.notSupported', 'not supported')}`
      : last_test?.ok === false
        ? `${backend} · ${t('lists.test.failed', 'last test failed')}`
        : backend,
  firstUse: {
    title: t('lists.databases.none', 'No databases yet'),
    text: t(
      'lists.databases.noneText',
      'Connect the database that holds your data. Its tables are available immediately.',
    ),
    action: {
      label: t('lists.databases.connect', 'Connect a database'),
      href: '/databaseview/list/?show_database_modal=true',
    },
  },
  create: {
    label: t('lists.databases.create', 'Database'),
    href: '/databaseview/list/?show_database_modal=true',
    permission: 'can_write',
  },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
  menu: ({ id, database_name, engine_information: { unsupported } }, { open, refresh }) => [
    ...(mayWrite
      ? [
          { label: t('lists.edit', 'Edit'), icon: 'edit' as const, shortcut: 'E', onSelect: () => open('edit', id) },
          ...(canManageAccess
            ? [
                {
                  label: t('lists.roles.title', 'Manage access'),
                  icon: 'user' as const,
                  onSelect: () => open('roles', id),
                },
              ]
            : []),
          ...(canManageAccess && unsupported === undefined
            ? [
                {
                  label: t('lists.databases.sync', 'Update permissions'),
                  icon: 'refresh' as const,
                  onSelect: () => void syncPermissions(t, id, database_name),
                },
              ]
            : []),
          ...(unsupported === undefined
            ? [
                {
                  label: t('lists.connect.test', 'Test connection'),
                  icon: 'plug' as const,
                  onSelect: () => void testStored(t, id, database_name).then(refresh),
                },
              ]
            : []),
        ]
      : []),
    ...(hasSqlLab && unsupported === undefined
      ? [
          {
            label: t('lists.connect.browse', 'Browse in SQL Lab'),
            icon: 'sql' as const,
            href: `/superset/sqllab/?dbid=${id}`,
          },
        ]
      : []),
  ],
  hasExport: true,
  imports: 'database',
  consequence: async (rows) => {
    const related = await Promise.all(
      rows.map(({ id }) => api.get('/api/v1/database/:id/related_objects/', { params: { id } })),
    )
    const used = await Promise.all(
      rows.map(({ id }) =>
        api.get('/api/v1/dataset/', {
          q: { columns: ['id'], filters: [{ col: 'database', opr: 'rel_o_m', value: id }], page_size: 1 },
        }),
      ),
    )
    const sum = (all: readonly { count: number }[]): number => all.reduce((total, { count }) => total + count, 0)
    const datasets = sum(used)
    const charts = sum(related.map((one) => one.charts))
    const dashboards = sum(related.map((one) => one.dashboards))
    if (datasets > 0)
      return {
        blocked: true,
        text: t(
          'lists.databases.used',
          '{datasets, plural, one {# dataset uses} other {# datasets use}} it, with {charts, plural, one {# chart} other {# charts}} on {dashboards, plural, one {# dashboard} other {# dashboards}}. Delete the datasets or move them to another database first.',
          { datasets, charts, dashboards },
        ),
      }
    return {
      typed: true,
      text: t(
        'lists.databases.consequence',
        'No dataset uses it. All users’ saved queries on it and its query history are also deleted{tabs, plural, =0 {} one {, and # open SQL Lab tab loses its database} other {, and # open SQL Lab tabs lose their database}}. {files, plural, =0 {The tables in the database are not deleted.} other {The tables uploaded to it are also deleted.}}',
        {
          tabs: sum(related.map((one) => one.sqllab_tab_states)),
          files: rows.filter(({ backend }) => backend === 'duckdb').length,
        },
      ),
    }
  },
})

/** Tests a stored database; masks in its URI represent the stored secrets. */
/** Creates the permissions on schemas and datasets that roles can be given. */
async function syncPermissions(t: Translate, id: number, database_name: string): Promise<void> {
  try {
    await api.post('/api/v1/database/:id/sync_permissions/', { params: { id } })
    toast(
      t('lists.databases.synced', 'All schemas and datasets of {name} can be given to roles now', {
        name: database_name,
      }),
    )
  } catch (error) {
    toastError(messageOf(error))
  }
}

async function testStored(t: Translate, id: number, database_name: string): Promise<void> {
  try {
    const { result } = await api.get('/api/v1/database/:id/connection', { params: { id } })
    const sqlalchemy_uri = result.sqlalchemy_uri ?? ''
    await api.post('/api/v1/database/test_connection/', { body: { database_name, sqlalchemy_uri } })
    toast(t('lists.connect.good', 'Connection looks good!'))
  } catch (error) {
    toastError(t('lists.connect.failed', 'ERROR: {message}', { message: messageOf(error) }))
  }
}

const testColumn = (t: Translate) => ({
  id: 'last_test',
  header: t('lists.column.lastTest', 'Last test'),
  width: '130px',
  hideUnder: 1200 as const,
  cell: ({ last_test, allow_dml, engine_information }: DatabaseListRow) => {
    if (engine_information.unsupported !== undefined)
      return <span className={styles.muted}>{t('lists.test.unsupported', 'Not supported')}</span>
    if (last_test === null) return <span className={styles.muted}>{t('lists.test.never', 'Not tested')}</span>
    const { ok, message, at, powers = [] } = last_test
    const warnings = describeAccountPowers(powers, allow_dml, t)
    const worked = warnings.length > 0 ? ('warning' as const) : ('success' as const)
    return (
      <StatusChip
        tone={ok ? worked : 'danger'}
        icon={!ok ? 'error' : warnings.length > 0 ? 'warning' : 'check'}
        title={[message, ...warnings, formatDateTimeWithZone(new Date(at))].filter(Boolean).join(' · ')}
      >
        {ok ? t('lists.test.ok', 'Passed') : t('lists.test.bad', 'Failed')}
      </StatusChip>
    )
  },
})

const yesColumn = (field: 'allow_file_upload' | 'allow_run_async', header: string, t: Translate) => ({
  id: field,
  header,
  order: field,
  width: '120px',
  hideUnder: 1200 as const,
  cell: (row: DatabaseListRow) =>
    row[field] ? (
      <Icon name="check" label={t('lists.yes', 'Yes')} />
    ) : (
      <span className={styles.muted}>{t('lists.no', 'No')}</span>
    ),
})
