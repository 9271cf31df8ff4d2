import type { InspectedStatement } from '@parquetry/model'
import type { Token } from '@parquetry/model/lex'
import { isProtectedTable, hasProtectedTables } from './protected-tables.ts'
import { tokenizeSql } from './text.ts'

/** Objects of SHOW that list or define tables; others reveal accounts, permissions, settings or running queries. */
const publicLists = new Set(
  `TABLES COLUMNS FIELDS INDEX INDEXES KEYS DATABASES SCHEMAS CATALOGS TABLE CREATE FUNCTIONS FUNCTION PROCEDURE TRIGGERS STATS
  PARTITIONS CHARACTER CHARSET COLLATION WARNINGS ERRORS COUNT VIEWS SEQUENCES`.split(/\s+/),
)
const beforeShown = /^(SHOW|FULL|EXTENDED|TEMPORARY|CHANGED)$/
const accounts =
  /^(USER|USERS|ROLE|ROLES|QUOTA|QUOTAS|SETTINGS|PROFILE|PROFILES|ROW|POLICY|POLICIES|MASKING|NAMED|SERVER)$/

/** Session settings that reveal nothing about the server. */
const openSetting =
  /^(search_path|time_?zone|system_time_zone|datestyle|intervalstyle|version\w*|server_version(_num)?|(server|client)_encoding|(default_)?transaction_\w+|tx_\w+|statement_timeout|lc_\w+|extra_float_digits|standard_conforming_strings|sql_mode|character_set_\w+|collation_\w+|autocommit|lower_case_table_names|group_concat_max_len|max_allowed_packet)$/i

/** First words of statements whose tables the parser reports and that change only data. */
const heads = new Set(
  `SELECT WITH FROM VALUES TABLE INSERT REPLACE UPDATE DELETE MERGE TRUNCATE CREATE ALTER DROP RENAME COMMENT ANALYZE VACUUM
  REINDEX CLUSTER REFRESH OPTIMIZE EXPLAIN SHOW DESCRIBE DESC CALL BEGIN START COMMIT ROLLBACK END ABORT SAVEPOINT RELEASE SET
  RESET USE LOCK UNLOCK`.split(/\s+/),
)
/** Allowed objects of CREATE, ALTER and DROP. */
const data = new Set(
  'TABLE VIEW INDEX SCHEMA DATABASE SEQUENCE TYPE DOMAIN MATERIALIZED STATISTICS COLLATION'.split(' '),
)
/** Disallowed objects: accounts, other servers, and SQL that runs later. */
const rules = new Set(
  `FUNCTION PROCEDURE ROUTINE TRIGGER EVENT RULE MACRO DICTIONARY PACKAGE EXTENSION USER ROLE GROUP SERVER FOREIGN SYSTEM
  SUBSCRIPTION PUBLICATION LANGUAGE CATALOG POLICY PROFILE QUOTA SETTINGS TABLESPACE AGGREGATE OPERATOR CAST ACCESS TRANSFORM
  NAMED RESOURCE WORKLOAD INSTANCE LOGFILE UNDO CONVERSION TEXT DEFAULT LARGE`.split(/\s+/),
)
const changing = /^(CREATE|ALTER|DROP|RENAME|COMMENT)$/
const localEngines =
  /^(\w*MERGETREE|(TINY|STRIPE)?LOG|MEMORY|HEAP|SET|JOIN|NULL|BUFFER|ATOMIC|INNODB|XTRADB|MYISAM|ARIA|ROCKSDB|COLUMNSTORE|ARCHIVE|BLACKHOLE)$/
const serverScopes = /^(GLOBAL|PERSIST|PERSIST_ONLY|ROLE|DEFAULT|PASSWORD|AUTHORIZATION|SYSTEM)$/

/**
 * Describes the part of a statement that only administrators may run, undefined if there is none: tables that match
 * `isProtectedTable`, server settings, lists of accounts and of running queries; and, if a database allows changes, every change to
 * more than data: accounts, files and programs of the server (`COPY ... PROGRAM`), other servers, and SQL that runs later or is
 * not inspected.
 * @param sql    the whole inspected text
 * @param usual  default schema and catalog of unqualified names
 */
export function findAdminOnlyPart(
  sql: string,
  statement: InspectedStatement,
  engine: string,
  usual: { schema: string | null; catalog: string | null },
): string | undefined {
  if (!hasProtectedTables(engine)) return undefined
  const table = statement.tables.find((one) => isProtectedTable(one, engine, usual))
  if (table) return `The table "${table.name}"`
  if (engine === 'postgresql' && statement.functions.some((name) => /^current_setting$/i.test(name)))
    return 'The function "current_setting"'
  if (engine !== 'mysql' && statement.kind !== 'show' && statement.readOnly) return undefined
  const tokens = tokenizeSql(sql.slice(...statement.span), engine)
  if (engine === 'mysql') {
    const setting = findServerSetting(tokens)
    if (setting !== undefined) return `The setting "${setting}"`
  }
  const keywords = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text)
  if (statement.kind === 'show') return engine === 'postgresql' ? checkSetting(keywords) : checkList(keywords)
  return statement.readOnly ? undefined : checkChange(keywords, tokens)
}

/** Finds `@@name` and `@@global.name`, whose values every account can read. */
function findServerSetting(tokens: readonly Token[]): string | undefined {
  for (const [at, { text }] of tokens.entries()) {
    if (text !== '@' || tokens[at + 1]?.text !== '@') continue
    const last = tokens[at + 3]?.text === '.' ? tokens[at + 4] : tokens[at + 2]
    const name = last?.text.replaceAll('`', '').toLowerCase() ?? ''
    if (!openSetting.test(name)) return name
  }
  return undefined
}

function checkSetting(keywords: readonly string[]): string | undefined {
  const name = keywords.slice(1).join('_').toLowerCase()
  return openSetting.test(name) ? undefined : `SHOW ${keywords.slice(1).join(' ')}`
}

function checkList(keywords: readonly string[]): string | undefined {
  const index = keywords.findIndex((keyword) => !beforeShown.test(keyword))
  const subject = keywords[index] ?? ''
  const isOpen = publicLists.has(subject) && !(subject === 'CREATE' && accounts.test(keywords[index + 1] ?? ''))
  return isOpen ? undefined : `SHOW ${keywords.slice(1, 3).join(' ')}`
}

function checkChange(keywords: readonly string[], tokens: readonly Token[]): string | undefined {
  const [head = ''] = keywords
  const about = keywords.slice(1).find((keyword) => data.has(keyword) || rules.has(keyword)) ?? ''
  const isOfData = data.has(about) && !(head === 'ALTER' && about === 'DATABASE')
  if (!heads.has(head) || (changing.test(head) && !isOfData))
    return `The statement ${[head, ...(changing.test(head) && about ? [about] : [])].join(' ')}`
  if (head === 'SET' && keywords.slice(1).some((keyword) => serverScopes.test(keyword))) return 'A server setting'
  if (head === 'CALL' && callsServer(tokens)) return 'A server procedure'
  return /^(CREATE|ALTER)$/.test(head) ? otherEngine(tokens) : undefined
}

function callsServer(tokens: readonly Token[]): boolean {
  const open = tokens.findIndex(({ kind }) => kind === 'open')
  const path = tokens.slice(1, open < 0 ? undefined : open)
  return path.some(({ text }) => /^['"`]?(sys|mysql|system|pg_catalog)['"`]?$/i.test(text))
}

/** Detects a table of files or of another server. */
function otherEngine(tokens: readonly Token[]): string | undefined {
  let depth = 0
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    if (
      depth > 0 ||
      kind !== 'word' ||
      text !== 'ENGINE' ||
      /^(COLUMN|ADD|MODIFY|CHANGE|TO)$/.test(tokens[at - 1]?.text ?? '')
    )
      continue
    const named = tokens[at + 1]?.text === '=' ? tokens[at + 2] : tokens[at + 1]
    const name = named?.text.replaceAll(/['"`]/g, '') ?? ''
    if (!localEngines.test(name.toUpperCase())) return `A table with the engine ${name}`
  }
  return undefined
}
