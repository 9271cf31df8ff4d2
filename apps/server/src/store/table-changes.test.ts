import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { type ChangeKind, changesOf, tableChanges } from './table-changes.ts'

let sqlite: TestServer
beforeAll(async () => {
  sqlite = await startTestServer()
})
afterAll(() => sqlite.close())

const rules = new Map(Object.entries(tableChanges))
const deletesOf = (table: string): readonly ChangeKind[] => rules.get(table)!.deletes ?? rules.get(table)!.kinds

it('says what a write to each table changes', async () => {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'
    and name not like 'sqlite_%' and name <> 'schema_version'`.execute(sqlite.deps.db)
  expect([...rules.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

it('ignores only columns that exist', async () => {
  const { rows } = await sql<{ name: string }>`select m.name || '.' || c.name as name
    from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`.execute(sqlite.deps.db)
  const columns = rows.map(({ name }) => name)
  const ignored = [...rules].flatMap(([table, { ignoredColumns = [] }]) =>
    ignoredColumns.map((name) => `${table}.${name}`),
  )
  expect(ignored.filter((name) => !columns.includes(name))).toEqual([])
})

it('counts rows that are deleted with others', async () => {
  const { rows } = await sql<{ child: string; parent: string }>`select m.name as child, f."table" as parent
    from sqlite_master m, pragma_foreign_key_list(m.name) f
    where m.type = 'table' and f.on_delete in ('CASCADE', 'SET NULL')`.execute(sqlite.deps.db)
  expect(rows.length).toBeGreaterThan(40)
  const missed = rows.flatMap(({ child, parent }) =>
    deletesOf(child)
      // A change of rights is one of everything that calls answer.
      .filter(
        (kind) => !deletesOf(parent).includes(kind) && !(kind === 'content' && deletesOf(parent).includes('rights')),
      )
      .map((kind) => `${parent} deletes ${child}: ${kind}`),
  )
  expect(missed).toEqual([])
})

it.each<[string, readonly ChangeKind[]]>([
  ['select * from "dashboard" where "slug" = $1', []],
  ['with d as (select 1) select * from d', []],
  ['with d as (select 1) insert into chart select * from d', ['content', 'rights', 'sessions']],
  ['begin', []],
  ['commit', []],
  ['insert into "log" ("action") values ($1)', []],
  ['insert into "dashboard" ("slug") values ($1) on conflict do nothing', ['content']],
  ['update "user" set "login_count" = "login_count" + $1, "last_login" = $2 where "id" = $3', []],
  ['update "user" set "last_login" = $1, "active" = $2 where "id" = $3', ['rights']],
  ['update "user" set "last_login" = (select 1 where 2 = 3), "active" = $2', ['rights']],
  ['update "user" set ("last_login", "active") = (select 1, 2)', ['rights']],
  ['delete from "user" where "id" = $1', ['rights', 'sessions']],
  ['UPDATE role SET name = name', ['rights']],
  ['insert into "session" ("id") values ($1)', []],
  ['insert into "session" ("id") values ($1) on conflict ("id") do update set "user_id" = $2', ['sessions']],
  ['update "session" set "seen_at" = $1 where "id" = $2', []],
  ['update "session" set "seen_at" = $1, "user_id" = $2', ['sessions']],
  ['delete from "session" where "id" = $1', ['sessions']],
  ['update "query" set "status" = $1, "limit" = $2', []],
  ['delete from "query" where "id" = $1', ['content']],
  ['delete from "dataset" where "id" = $1', ['content', 'rights']],
  ['update "a_new_table" set "a" = 1', ['content', 'rights', 'sessions']],
  ['update "other"."log" set "a" = 1', ['content', 'rights', 'sessions']],
  ['create table thing (id integer)', ['content', 'rights', 'sessions']],
  ['select 1; delete from chart', ['content', 'rights', 'sessions']],
])('knows what is changed by %s', (text, kinds) => {
  expect(changesOf(text)).toEqual(kinds)
})

describe.each(testStores.filter(([, store]) => store !== 'sqlite'))('triggers on %s', (_name, store) => {
  it('report the changes of each table', async () => {
    const server = await startTestServer({ store })
    const { rows } = await sql<{ name: string; kind: string; event: string; columns: string[] }>`select
        c.relname as name, encode(t.tgargs, 'escape') as kind,
        case when t.tgtype & 4 > 0 then 'insert' when t.tgtype & 8 > 0 then 'delete'
          when t.tgtype & 16 > 0 then 'update' else 'truncate' end as event,
        (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and cardinality(t.tgattr::int2[]) > 0 and not a.attnum = any(t.tgattr::int2[])) as columns
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where p.proname = 'parquetry_report_change'`.execute(server.deps.db)
    await server.close()
    const found = rows.map(({ name, kind, event, columns }) =>
      JSON.stringify([name, event, kind.replace(/\\000$/, ''), columns.toSorted()]),
    )
    const expected = [...rules].flatMap(([name, { kinds, ignoresInserts, ignoredColumns = [] }]) =>
      ['insert', 'update', 'delete', 'truncate']
        .filter((event) => kinds.length > 0 && !(event === 'insert' && ignoresInserts))
        .map((event) => JSON.stringify([name, event, kinds[0], event === 'update' ? ignoredColumns.toSorted() : []])),
    )
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})
