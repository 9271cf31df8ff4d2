import type { Kysely, KyselyPlugin } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { RunDeps } from './deps.ts'

/** Ends a server as if its process were killed. */
export class Crash extends Error {}

/**
 * Dependencies of a server that is killed before its nth statement on the store, counted from 1: a transaction that is open then
 * is rolled back, and from then on the server does nothing more.
 */
export function crashingDeps(deps: RunDeps, statement: number): { deps: RunDeps; hasCrashed(): boolean } {
  let count = 0
  const hasCrashed = () => count >= statement
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1
      if (hasCrashed()) throw new Crash('killed')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return { deps: { ...deps, db: deps.db.withPlugin(plugin) as Kysely<Tables> }, hasCrashed }
}
