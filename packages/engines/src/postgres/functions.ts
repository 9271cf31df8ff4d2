import type { Client } from 'pg'

/** Written like functions, but part of the grammar and not listed in the catalog. */
const grammarFunctions = ['cast', 'coalesce', 'extract', 'greatest', 'grouping', 'least', 'nullif', 'overlay', 'trim']

/** Functions that can be called by name; those that only serve operators, types and triggers are left out. */
export async function listPostgresFunctions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT p.proname AS name FROM pg_proc p
     WHERE p.prokind IN ('f', 'a', 'w') AND pg_function_is_visible(p.oid) AND p.proname ~ '^[a-z][a-z0-9_]*$'
       AND p.prorettype NOT IN ('internal'::regtype, 'cstring'::regtype, 'trigger'::regtype, 'event_trigger'::regtype,
         'index_am_handler'::regtype, 'table_am_handler'::regtype, 'fdw_handler'::regtype, 'language_handler'::regtype)
       AND NOT p.proargtypes::oid[] && ARRAY['internal'::regtype::oid, 'cstring'::regtype::oid]
       AND NOT EXISTS (SELECT 1 FROM pg_operator o WHERE o.oprcode = p.oid)`,
  )
  return [...new Set([...rows.map(({ name }) => name), ...grammarFunctions])].toSorted()
}
