import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Columns } from '../columns.ts'

type Db = Kysely<Record<string, never>>
type Table = CreateTableBuilder<string, string>
type Kind = 'integer' | 'text'
/** `name: kind`, with `!` for NOT NULL. */
type Fields = Record<string, Kind | `${Kind}!`>

const audit: Fields = {
  created_on: 'text!',
  changed_on: 'text!',
  created_by_fk: 'integer',
  changed_by_fk: 'integer',
}
const managed: Fields = { is_managed_externally: 'integer!', external_url: 'text' }
const certified: Fields = { certified_by: 'text', certification_details: 'text' }

function withFields(table: Table, fields: Fields, { integer }: Columns): Table {
  return Object.entries(fields).reduce((built, [name, kind]) => {
    const type = kind.startsWith('integer') ? integer : 'text'
    return built.addColumn(name, type, (column) => (kind.endsWith('!') ? column.notNull() : column))
  }, table)
}

/** Creates a link table; its rows are deleted with either end. */
async function createLinkTable(db: Db, columns: Columns, name: string, targets: Record<string, string>): Promise<void> {
  const names = Object.keys(targets)
  let table: Table = db.schema.createTable(name) as Table
  table = withFields(table, Object.fromEntries(names.map((end) => [end, 'integer!' as const])), columns)
  for (const [column, target] of Object.entries(targets))
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column], target, ['id'], (key) =>
      key.onDelete('cascade'),
    )
  await table.addPrimaryKeyConstraint(`${name}_pk`, names as never).execute()
  for (const column of names.slice(1))
    await db.schema.createIndex(`${name}_by_${column}`).on(name).column(column).execute()
}

/** Users, permissions, connections, datasets, charts, dashboards, queries, versions and the action log. */
export async function foundation(db: Db, columns: Columns): Promise<void> {
  const createTable = (name: string, fields: Fields) =>
    withFields(columns.id(db.schema.createTable(name)) as Table, fields, columns)
  const belongsTo = (table: Table, column: string, target: string): Table =>
    table.addForeignKeyConstraint(`fk_${column}`, [column], target, ['id'], (key) => key.onDelete('cascade'))
  const index = (table: string, ...names: string[]) =>
    db.schema
      .createIndex(`${table}_by_${names.join('_')}`)
      .on(table)
      .columns(names)
      .execute()
  const unique = (table: string, ...names: string[]) =>
    db.schema
      .createIndex(`${table}_one_${names.join('_')}`)
      .unique()
      .on(table)
      .columns(names)
      .execute()

  await createTable('user', {
    username: 'text!',
    first_name: 'text!',
    last_name: 'text!',
    email: 'text!',
    password: 'text',
    active: 'integer!',
    login_count: 'integer!',
    last_login: 'text',
    created_on: 'text!',
    changed_on: 'text!',
  }).execute()
  await unique('user', 'username')
  await createTable('role', { name: 'text!' }).execute()
  await unique('role', 'name')
  await createTable('permission', { name: 'text!', view: 'text!' }).execute()
  await unique('permission', 'name', 'view')
  await createLinkTable(db, columns, 'role_permission', { role_id: 'role', permission_id: 'permission' })
  await createLinkTable(db, columns, 'user_role', { user_id: 'user', role_id: 'role' })

  const keyed = (name: string, fields: Fields) =>
    withFields(
      (db.schema.createTable(name) as Table).addColumn('id', 'text', (column) => column.primaryKey()),
      fields,
      columns,
    )
  await belongsTo(
    keyed('session', {
      user_id: 'integer!',
      created_at: 'text!',
      seen_at: 'text!',
      expires_at: 'text!',
      kind: 'text!',
    }),
    'user_id',
    'user',
  ).execute()
  await index('session', 'user_id')
  await index('session', 'expires_at')
  await belongsTo(
    keyed('one_time_link', { user_id: 'integer!', expires_at: 'text!', used_at: 'text' }),
    'user_id',
    'user',
  ).execute()

  await createTable('database', {
    uuid: 'text!',
    database_name: 'text!',
    backend: 'text!',
    sqlalchemy_uri: 'text!',
    settings: 'text!',
    secrets: 'text',
    extra: 'text!',
    cache_timeout: 'integer',
    expose_in_sqllab: 'integer!',
    allow_run_async: 'integer!',
    allow_ctas: 'integer!',
    allow_cvas: 'integer!',
    allow_dml: 'integer!',
    allow_file_upload: 'integer!',
    force_ctas_schema: 'text',
    impersonate_user: 'integer!',
    configuration_method: 'text!',
    version: 'integer!',
    ...audit,
  }).execute()
  await unique('database', 'uuid')
  await unique('database', 'database_name')
  await belongsTo(
    createTable('embedded_table', {
      database_id: 'integer!',
      name: 'text!',
      file: 'text!',
      format: 'text!',
      inner_table: 'text!',
      version: 'integer!',
    }),
    'database_id',
    'database',
  ).execute()
  await unique('embedded_table', 'database_id', 'name')

  await createTable('dataset', {
    uuid: 'text!',
    database_id: 'integer!',
    table_name: 'text!',
    schema: 'text',
    catalog: 'text',
    sql: 'text',
    main_dttm_col: 'text',
    description: 'text',
    default_endpoint: 'text',
    offset: 'integer!',
    cache_timeout: 'integer',
    params: 'text',
    template_params: 'text',
    extra: 'text',
    filter_select_enabled: 'integer!',
    fetch_values_predicate: 'text',
    is_sqllab_view: 'integer!',
    normalize_columns: 'integer!',
    always_filter_main_dttm: 'integer!',
    ...managed,
    ...audit,
  })
    .addForeignKeyConstraint('dataset_database', ['database_id'], 'database', ['id'])
    .execute()
  await unique('dataset', 'uuid')
  await db.schema
    .createIndex('dataset_one_name')
    .unique()
    .on('dataset')
    .expression(sql`database_id, coalesce(catalog, ''), coalesce(schema, ''), table_name`)
    .execute()
  await index('dataset', 'changed_on')
  await index('dataset', 'table_name')
  const belongsToDataset = (table: Table) => belongsTo(table, 'dataset_id', 'dataset')
  await belongsToDataset(
    createTable('dataset_column', {
      uuid: 'text!',
      dataset_id: 'integer!',
      column_name: 'text!',
      verbose_name: 'text',
      description: 'text',
      expression: 'text',
      type: 'text',
      advanced_data_type: 'text',
      type_generic: 'integer',
      is_dttm: 'integer!',
      is_active: 'integer!',
      groupby: 'integer!',
      filterable: 'integer!',
      python_date_format: 'text',
      extra: 'text',
      created_on: 'text!',
      changed_on: 'text!',
    }),
  ).execute()
  await unique('dataset_column', 'dataset_id', 'column_name')
  await belongsToDataset(
    createTable('dataset_metric', {
      uuid: 'text!',
      dataset_id: 'integer!',
      metric_name: 'text!',
      verbose_name: 'text',
      description: 'text',
      expression: 'text!',
      metric_type: 'text',
      d3format: 'text',
      currency: 'text',
      warning_text: 'text',
      extra: 'text',
      created_on: 'text!',
      changed_on: 'text!',
    }),
  ).execute()
  await unique('dataset_metric', 'dataset_id', 'metric_name')
  await createLinkTable(db, columns, 'dataset_owner', { dataset_id: 'dataset', user_id: 'user' })

  await createTable('row_rule', {
    name: 'text!',
    description: 'text',
    filter_type: 'text!',
    group_key: 'text',
    clause: 'text!',
    ...audit,
  }).execute()
  await unique('row_rule', 'name')
  await createLinkTable(db, columns, 'row_rule_dataset', { row_rule_id: 'row_rule', dataset_id: 'dataset' })
  await createLinkTable(db, columns, 'row_rule_role', { row_rule_id: 'row_rule', role_id: 'role' })

  await createTable('chart', {
    uuid: 'text!',
    slice_name: 'text!',
    viz_type: 'text!',
    datasource_id: 'integer!',
    datasource_type: 'text!',
    datasource_name: 'text',
    params: 'text',
    query_context: 'text',
    description: 'text',
    cache_timeout: 'integer',
    last_saved_at: 'text',
    last_saved_by_fk: 'integer',
    ...certified,
    ...managed,
    ...audit,
  }).execute()
  await unique('chart', 'uuid')
  await index('chart', 'datasource_id')
  await index('chart', 'changed_on')
  await index('chart', 'slice_name')
  await createLinkTable(db, columns, 'chart_owner', { chart_id: 'chart', user_id: 'user' })

  await createTable('dashboard', {
    uuid: 'text!',
    dashboard_title: 'text',
    slug: 'text',
    position_json: 'text',
    json_metadata: 'text',
    css: 'text',
    description: 'text',
    published: 'integer!',
    ...certified,
    ...managed,
    ...audit,
  }).execute()
  await unique('dashboard', 'uuid')
  await unique('dashboard', 'slug')
  await index('dashboard', 'changed_on')
  await index('dashboard', 'dashboard_title')
  await createLinkTable(db, columns, 'dashboard_owner', { dashboard_id: 'dashboard', user_id: 'user' })
  await createLinkTable(db, columns, 'dashboard_role', { dashboard_id: 'dashboard', role_id: 'role' })
  await createLinkTable(db, columns, 'dashboard_chart', { dashboard_id: 'dashboard', chart_id: 'chart' })

  const favorite = withFields(
    db.schema.createTable('favorite') as Table,
    { user_id: 'integer!', kind: 'text!', object_id: 'integer!', created_on: 'text!' },
    columns,
  )
  await belongsTo(favorite, 'user_id', 'user')
    .addPrimaryKeyConstraint('favorite_pk', ['user_id', 'kind', 'object_id'])
    .execute()
  await index('favorite', 'kind', 'object_id')

  await createTable('saved_query', {
    uuid: 'text!',
    user_id: 'integer!',
    db_id: 'integer',
    schema: 'text',
    catalog: 'text',
    label: 'text',
    description: 'text',
    sql: 'text',
    template_parameters: 'text',
    extra_json: 'text',
    rows: 'integer',
    last_run: 'text',
    ...audit,
  }).execute()
  await unique('saved_query', 'uuid')
  await index('saved_query', 'user_id', 'changed_on')
  await createTable('query', {
    client_id: 'text!',
    database_id: 'integer!',
    user_id: 'integer!',
    tab_name: 'text',
    sql_editor_id: 'text',
    schema: 'text',
    catalog: 'text',
    sql: 'text!',
    executed_sql: 'text',
    select_sql: 'text',
    limit: 'integer',
    limiting_factor: 'text!',
    select_as_cta: 'integer!',
    ctas_method: 'text',
    tmp_table_name: 'text',
    tmp_schema_name: 'text',
    status: 'text!',
    progress: 'integer!',
    rows: 'integer',
    error_message: 'text',
    results_key: 'text',
    start_time: 'integer',
    end_time: 'integer',
    extra_json: 'text!',
    tracking_url: 'text',
    changed_on: 'text!',
  }).execute()
  await unique('query', 'client_id')
  await index('query', 'user_id', 'changed_on')
  await index('query', 'results_key')
  await index('query', 'status')

  await withFields(
    db.schema.createTable('key_value') as Table,
    {
      key: 'text!',
      resource: 'text!',
      value: 'text!',
      user_id: 'integer',
      created_on: 'text!',
      changed_on: 'text!',
      expires_at: 'text',
    },
    columns,
  )
    .addPrimaryKeyConstraint('key_value_pk', ['resource', 'key'])
    .execute()
  await index('key_value', 'expires_at')

  await createTable('version', {
    kind: 'text!',
    object_uuid: 'text!',
    n: 'integer!',
    author_id: 'integer',
    at: 'text!',
    document: 'text!',
  }).execute()
  await unique('version', 'kind', 'object_uuid', 'n')
  await createTable('log', {
    action: 'text!',
    user_id: 'integer',
    dashboard_id: 'integer',
    slice_id: 'integer',
    json: 'text',
    duration_ms: 'integer',
    referrer: 'text',
    dttm: 'text!',
  }).execute()
  await index('log', 'dttm')
  await index('log', 'user_id', 'dttm')
}
