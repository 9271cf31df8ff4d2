import type { InspectedStatement } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { findAdminOnlyPart, isProtectedTable } from './index.ts'

type Namespace = { schema: string | null; catalog: string | null }
const noNamespace: Namespace = { schema: null, catalog: null }
const isSecret = (engine: string, path: string, usual = noNamespace) => {
  const [name = '', schema = null, catalog = null] = path.split('.').toReversed()
  return isProtectedTable({ name, schema, catalog }, engine, usual)
}

const secret: Record<string, readonly string[]> = {
  postgresql: `pg_shadow pg_authid PG_AUTHID pg_catalog.pg_roles pg_user pg_auth_members pg_settings pg_file_settings
    pg_hba_file_rules pg_stat_activity pg_stat_replication pg_stat_statements public.pg_stat_statements pg_user_mappings
    pg_subscription pg_foreign_server pg_largeobject pg_db_role_setting pg_prepared_statements pg_cursors pg_locks
    information_schema.user_mapping_options information_schema.role_table_grants information_schema.enabled_roles`.split(
    /\s+/,
  ),
  mysql: `mysql.user mysql.global_priv MYSQL.USER mysql.general_log performance_schema.threads sys.processlist
    information_schema.processlist information_schema.user_privileges information_schema.innodb_trx
    information_schema.global_variables information_schema.user_variables`.split(/\s+/),
  clickhouse: `system.users system.query_log system.processes system.settings system.server_settings system.grants
    system.named_collections system.backups system.text_log system.dictionaries system.zookeeper`.split(/\s+/),
  trino: `system.runtime.queries system.runtime.nodes hive.information_schema.table_privileges
    postgres.pg_catalog.pg_shadow mysql.mysql.user click.system.query_log memory.information_schema.enabled_roles`.split(
    /\s+/,
  ),
}
const open: Record<string, readonly string[]> = {
  postgresql: `pg_class pg_catalog.pg_tables pg_stats information_schema.columns public.cars sales.pg_numbers`.split(
    ' ',
  ),
  mysql: `information_schema.tables shop.user cars`.split(' '),
  clickhouse: `system.tables system.numbers system.one default.users`.split(' '),
  trino: `system.jdbc.tables hive.information_schema.columns hive.default.users`.split(' '),
  duckdb: ['pg_shadow', 'main.cars'],
  sqlite: ['sqlite_master', 'main.cars'],
}

describe('tables that only administrators may read', () => {
  it.each(Object.entries(secret))('regression: include those of %s', (engine, paths) => {
    expect(paths.filter((path) => !isSecret(engine, path))).toEqual([])
  })
  it.each(Object.entries(open))('exclude other tables of %s', (engine, paths) => {
    expect(paths.filter((path) => isSecret(engine, path))).toEqual([])
  })
  it('regression: are recognized by the schema selected for the run', () => {
    expect(isSecret('mysql', 'user', { schema: 'mysql', catalog: null })).toBe(true)
    expect(isSecret('clickhouse', 'users', { schema: 'system', catalog: null })).toBe(true)
    expect(isSecret('trino', 'queries', { schema: 'runtime', catalog: 'system' })).toBe(true)
    expect(isSecret('postgresql', 'pg_shadow', { schema: 'public', catalog: null })).toBe(true)
    expect(isSecret('postgresql', 'user_mappings', { schema: 'information_schema', catalog: null })).toBe(true)
  })
})

const ask = (engine: string, sql: string, own: Partial<InspectedStatement> = {}) => {
  const kind = /^\w+/.exec(sql)?.[0].toLowerCase() ?? ''
  const statement: InspectedStatement = {
    span: [0, sql.length],
    kind,
    readOnly: kind === 'select' || kind === 'show',
    tables: [],
    functions: [],
    tableFunctions: [],
    ownLimit: null,
    limitSpan: null,
    hasOrder: false,
    takesLimit: false,
    ...own,
  }
  return findAdminOnlyPart(sql, statement, engine, noNamespace)
}

const ruling: [engine: string, sql: string][] = [
  ['postgresql', 'SHOW ALL'],
  ['postgresql', 'SHOW primary_conninfo'],
  ['postgresql', `COPY (SELECT 1) TO PROGRAM 'sh'`],
  ['postgresql', `COPY cars FROM '/etc/passwd'`],
  ['postgresql', `/* x */ DO $$ BEGIN END $$`],
  ['postgresql', 'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
  ['postgresql', 'ALTER SYSTEM SET archive_command = 1'],
  ['postgresql', 'ALTER USER lab PASSWORD $$x$$'],
  ['postgresql', 'CREATE EXTENSION file_fdw'],
  ['postgresql', 'CREATE FOREIGN TABLE x (a text) SERVER s'],
  ['postgresql', 'SET SESSION AUTHORIZATION lab'],
  ['postgresql', 'SET ROLE lab'],
  ['postgresql', 'GRANT lab TO public'],
  ['postgresql', `LOAD 'x'`],
  ['postgresql', 'PREPARE p AS SELECT 1'],
  ['mysql', 'SHOW GRANTS'],
  ['mysql', 'SHOW FULL PROCESSLIST'],
  ['mysql', 'SHOW CREATE USER root'],
  ['mysql', 'SHOW VARIABLES'],
  ['mysql', 'SHOW ENGINE INNODB STATUS'],
  ['mysql', 'SELECT @@report_password'],
  ['mysql', 'SELECT @@global . `init_connect`'],
  ['mysql', 'SET GLOBAL general_log = 1'],
  ['mysql', `SET PASSWORD = 'x'`],
  ['mysql', 'CREATE USER x'],
  ['mysql', 'RENAME USER a TO b'],
  ['mysql', 'CREATE DEFINER = root@localhost PROCEDURE p() SELECT 1'],
  ['mysql', `CREATE TABLE x (a int) ENGINE = CONNECT`],
  ['mysql', `ALTER TABLE x ENGINE FEDERATED`],
  ['mysql', 'CALL sys.execute_prepared_stmt(1)'],
  ['mysql', 'CALL `mysql` . p()'],
  ['mysql', `EXECUTE IMMEDIATE 'x'`],
  ['mysql', `LOAD DATA INFILE '/etc/passwd' INTO TABLE x`],
  ['clickhouse', 'SHOW ACCESS'],
  ['clickhouse', 'SHOW CREATE USER x'],
  ['clickhouse', 'SHOW SETTINGS'],
  ['clickhouse', 'CREATE TABLE x (a int) ENGINE = URL(x)'],
  ['clickhouse', 'CREATE DATABASE x ENGINE = MySQL(x)'],
  ['clickhouse', 'SYSTEM SHUTDOWN'],
  ['clickhouse', 'CREATE DICTIONARY d (a int)'],
  ['clickhouse', 'KILL QUERY WHERE 1'],
  ['trino', 'SHOW SESSION'],
  ['trino', 'CALL hive.system.sync_partition_metadata()'],
  ['trino', 'CREATE CATALOG x USING memory'],
]
const allowed: [engine: string, sql: string][] = [
  ['postgresql', 'SHOW search_path'],
  ['postgresql', 'SHOW TIME ZONE'],
  ['postgresql', 'CREATE TABLE event (role int)'],
  ['postgresql', 'CREATE MATERIALIZED VIEW x AS SELECT 1'],
  ['postgresql', 'UPDATE cars SET engine = 1'],
  ['postgresql', 'ALTER TABLE cars ADD COLUMN engine text'],
  ['mysql', 'SHOW FULL TABLES'],
  ['mysql', 'SHOW CREATE TABLE user'],
  ['mysql', 'SELECT @@version, @@session.time_zone'],
  ['mysql', 'CREATE TABLE x (engine text) ENGINE=InnoDB'],
  ['mysql', 'CALL shop.refresh()'],
  ['clickhouse', 'CREATE TABLE x (a int) ENGINE = ReplicatedMergeTree ORDER BY a'],
  ['clickhouse', 'SHOW CREATE cars'],
  ['trino', 'SHOW STATS FOR cars'],
  ['trino', 'INSERT INTO cars SELECT 1'],
  ['duckdb', 'SHOW ALL'],
]

describe('statements that only administrators may run', () => {
  it.each(ruling)('regression: include %s: %s', (engine, sql) => expect(ask(engine, sql)).toBeTruthy())
  it.each(allowed)('exclude others: %s: %s', (engine, sql) => expect(ask(engine, sql)).toBeUndefined())
  it('regression: include the settings function of PostgreSQL', () => {
    expect(ask('postgresql', 'SELECT current_setting(1)', { functions: ['current_setting'] })).toContain('function')
  })
})
