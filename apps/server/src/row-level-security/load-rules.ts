import type { RowLevelSecurityRule } from '@parquetry/query'
import { mayBeSameTable, type TableName } from '@parquetry/sql'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { isTracked } from '../store/changes.ts'
import { readCached } from '../store/read-cache.ts'
import type { Tables } from '../store/tables.ts'
import { resolveTableName, type StoredTableName } from '../connection/table-names.ts'

/** Rules that apply to a principal on a table, with templates as stored. */
export interface TableRules {
  table: TableName
  rules: ApplicableRule[]
}

interface StoredRule extends RowLevelSecurityRule {
  id: number
  filter_type: 'Regular' | 'Base'
}

/** A rule that applies; those of guest tokens have no id. */
export type ApplicableRule = RowLevelSecurityRule & { id?: number }

type DatasetName = StoredTableName & { id: number; sql: string | null }

/** A rule whose clause was not checked against its tables lets no rows through. */
const ruleColumns = [
  'row_rule.id',
  'row_rule.group_key',
  sql<string>`case when row_rule.is_checked = 1 then row_rule.clause else '1 = 0' end`.as('clause'),
  'row_rule.filter_type',
] as const

/**
 * Returns the rules that apply to a principal on a dataset, with templates as stored: those of the dataset itself and those of its
 * table, whichever dataset they were created for, also one that was deleted. Regular rules apply to their subjects, base rules to
 * all others; a guest token adds its own.
 */
export async function loadDatasetRules(
  db: Kysely<Tables>,
  principal: Principal,
  database: DatabaseRow,
  dataset: DatasetName,
): Promise<ApplicableRule[]> {
  const own = await readCached(db, db, JSON.stringify(['rules of dataset', dataset.id]), () =>
    db
      .selectFrom('row_rule')
      .innerJoin('row_rule_dataset', 'row_rule_id', 'row_rule.id')
      .select(ruleColumns)
      .where('dataset_id', '=', dataset.id)
      .execute(),
  )
  const table = dataset.sql ? null : resolveTableName(database, dataset)
  const isTable = (other: TableName) => table !== null && mayBeSameTable(table, other, database.backend)
  const ofTable = table ? (await knownTableRules(db, database)).filter((entry) => isTable(entry.table)) : []
  const byId = new Map([...own, ...ofTable.map(({ rule }) => rule)].map((rule) => [rule.id, rule]))
  const rules = [...byId.values()].toSorted((a, b) => a.id - b.id)
  return [
    ...(await selectApplicable(db, principal, rules)),
    ...(await guestDatasetRules(db, principal, database, dataset.id, isTable)),
  ]
}

/**
 * Returns all tables of a database whose rows are restricted for a principal. It includes tables of datasets that they may not
 * open: the rules protect the table even then.
 */
export async function loadTableRules(
  db: Kysely<Tables>,
  principal: Principal,
  database: DatabaseRow,
): Promise<TableRules[]> {
  const stored = await knownTableRules(db, database)
  const applicable = new Set(
    await selectApplicable(
      db,
      principal,
      stored.map(({ rule }) => rule),
    ),
  )
  const found = new Map<string, TableRules>()
  const add = (table: TableName, rule: ApplicableRule) => {
    const key = JSON.stringify([table.catalog, table.schema, table.name])
    const entry = found.get(key) ?? { table, rules: [] }
    found.set(key, entry)
    if (!entry.rules.includes(rule)) entry.rules.push(rule)
  }
  for (const { table, rule } of stored) if (applicable.has(rule)) add(table, rule)
  for (const { table, rule } of await guestTableRules(db, principal, database)) add(table, rule)
  return [...found.values()]
}

/** Returns a test for tables whose rows are restricted for a principal; numbers of all their rows must not be shown either. */
export async function restrictedTables(
  db: Kysely<Tables>,
  principal: Principal,
  database: DatabaseRow,
): Promise<(table: StoredTableName) => boolean> {
  const restricted = await loadTableRules(db, principal, database)
  return (name) => {
    const table = resolveTableName(database, name)
    return restricted.some((entry) => mayBeSameTable(table, entry.table, database.backend))
  }
}

/** Returns the first of these tables that has a rule for any user. A copy of the table would not be protected. */
export async function findTableWithRules(
  db: Kysely<Tables>,
  database: DatabaseRow,
  tables: readonly TableName[],
): Promise<TableName | undefined> {
  const restricted = toTableRules(database, await selectTableRules(db, database))
  return tables.find((table) => restricted.some((entry) => mayBeSameTable(table, entry.table, database.backend)))
}

/** Rules with each of their tables in a database, ordered by rule. Read once for all principals. */
const knownTableRules = async (db: Kysely<Tables>, database: DatabaseRow) =>
  toTableRules(
    database,
    await readCached(db, db, JSON.stringify(['rules of tables', database.id]), () => selectTableRules(db, database)),
  )

const selectTableRules = (db: Kysely<Tables>, { id }: DatabaseRow) =>
  db
    .selectFrom('row_rule_table')
    .innerJoin('row_rule', 'row_rule.id', 'row_rule_id')
    .select([...ruleColumns, 'catalog', 'schema', 'table_name'])
    .where('database_id', '=', id)
    .orderBy('row_rule.id')
    .execute()

function toTableRules(
  database: DatabaseRow,
  rows: readonly (StoredRule & StoredTableName)[],
): { table: TableName; rule: StoredRule }[] {
  const rules = new Map<number, StoredRule>()
  return rows.map(({ catalog, schema, table_name, ...row }) => {
    const rule = rules.get(row.id) ?? row
    rules.set(row.id, rule)
    return { table: resolveTableName(database, { catalog, schema, table_name }), rule }
  })
}

/** Keeps the rules that apply to a principal: regular ones that name them, a role or a group of theirs, and base ones that do not. */
async function selectApplicable<R extends StoredRule>(
  db: Kysely<Tables>,
  principal: Principal,
  rules: readonly R[],
): Promise<R[]> {
  if (rules.length === 0) return []
  const naming = await findRulesNaming(db, principal)
  return rules.filter(({ id, filter_type }) => naming.has(id) === (filter_type === 'Regular'))
}

/**
 * Ids of the rules that have the principal, one of their roles or one of their groups as a subject. What roles and groups decide
 * is read once for all who have the same.
 */
async function findRulesNaming(db: Kysely<Tables>, { id, roles, groups }: Principal): Promise<Set<number>> {
  const bySubjects = (subject: 'role' | 'group', ids: readonly number[]) =>
    readCached(db, db, JSON.stringify(['rules naming', subject, ids]), () =>
      db
        .selectFrom(`row_rule_${subject}`)
        .select('row_rule_id')
        .where(sql.ref(`${subject}_id`), 'in', ids)
        .execute(),
    )
  const queries = [
    ...(roles.length === 0 ? [] : [bySubjects('role', toIds(roles))]),
    ...(groups.length === 0 ? [] : [bySubjects('group', toIds(groups))]),
    ...(id === null || !(await mayNameUsers(db)) ? [] : [selectRulesNamingUser(db, id)]),
  ]
  const found = await Promise.all(queries)
  return new Set(found.flat().map(({ row_rule_id }) => row_rule_id))
}

const toIds = (objects: readonly { id: number }[]): number[] => objects.map(({ id }) => id)

const selectRulesNamingUser = (db: Kysely<Tables>, userId: number) =>
  db.selectFrom('row_rule_user').select('row_rule_id').where('user_id', '=', userId).execute()

/** Few installations have rules for single users; the others need not look for those of each user. */
const mayNameUsers = async (db: Kysely<Tables>): Promise<boolean> =>
  !isTracked(db) ||
  readCached(db, db, 'rules naming users', async () => {
    const found = await db.selectFrom('row_rule_user').select('row_rule_id').limit(1).execute()
    return found.length > 0
  })

const toRule = ({ clause }: { clause: string }): RowLevelSecurityRule => ({ group_key: null, clause })

/** Rules of a guest token for a dataset, including those for other datasets of its table. */
async function guestDatasetRules(
  db: Kysely<Tables>,
  { guest }: Principal,
  database: DatabaseRow,
  datasetId: number,
  isTable: (other: TableName) => boolean,
): Promise<RowLevelSecurityRule[]> {
  const rules = guest?.rlsRules ?? []
  const others = rules.flatMap(({ dataset }) => (dataset === null || dataset === datasetId ? [] : [dataset]))
  const named = others.length === 0 ? [] : await physicalDatasets(db, database, others)
  const applying = new Set([datasetId, ...named.filter(({ table }) => isTable(table)).map(({ id }) => id)])
  return rules.filter(({ dataset }) => dataset === null || applying.has(dataset)).map(toRule)
}

/** Rules of a guest token with the tables of their datasets; a rule without a dataset applies to the tables of all. */
async function guestTableRules(
  db: Kysely<Tables>,
  { guest }: Principal,
  database: DatabaseRow,
): Promise<{ table: TableName; rule: RowLevelSecurityRule }[]> {
  if (!guest || guest.rlsRules.length === 0) return []
  const datasets = await physicalDatasets(db, database)
  return guest.rlsRules.flatMap((guestRule) => {
    const rule = toRule(guestRule)
    return datasets
      .filter(({ id }) => guestRule.dataset === null || guestRule.dataset === id)
      .map(({ table }) => ({ table, rule }))
  })
}

async function physicalDatasets(
  db: Kysely<Tables>,
  database: DatabaseRow,
  ids?: readonly number[],
): Promise<{ id: number; table: TableName }[]> {
  const rows = await db
    .selectFrom('dataset')
    .select(['id', 'catalog', 'schema', 'table_name'])
    .where('database_id', '=', database.id)
    .where((eb) => eb.or([eb('sql', 'is', null), eb('sql', '=', '')]))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .execute()
  return rows.map((row) => ({ id: row.id, table: resolveTableName(database, row) }))
}
