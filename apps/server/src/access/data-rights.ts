import { hasPermission, type Principal } from './principal.ts'

/** Access granted by the data permissions of a principal, parsed from the names of their views. */
export interface DataRights {
  /** Every dataset and database. */
  all: boolean
  datasets: ReadonlySet<number>
  databases: ReadonlySet<number>
  /** `[Database].[schema]` */
  schemas: ReadonlySet<string>
}

/** Users with the same roles have the same set of permissions. */
const rightsOfAdmins = new WeakMap<Principal['permissions'], DataRights>()
const rightsOfOthers = new WeakMap<Principal['permissions'], DataRights>()
const idAtEnd = /\(id:(\d+)\)$/

/** Names of the data permissions' views. The id identifies the object; the name is for readability. */
export const databaseViewName = ({ database_name, id }: { database_name: string; id: number }): string =>
  `[${database_name}].(id:${id})`
export const schemaViewName = (database_name: string, schema: string): string => `[${database_name}].[${schema}]`
export const datasetViewName = (
  database_name: string,
  { table_name, id }: { table_name: string; id: number },
): string => `[${database_name}].[${table_name}](id:${id})`

export function dataRights(principal: Principal): DataRights {
  const known = principal.isAdmin ? rightsOfAdmins : rightsOfOthers
  const found = known.get(principal.permissions)
  if (found) return found
  const datasets = new Set<number>()
  const databases = new Set<number>()
  const schemas = new Set<string>()
  for (const pair of principal.permissions) {
    const space = pair.indexOf(' ')
    const [permission, view] = [pair.slice(0, space), pair.slice(space + 1)]
    if (permission === 'schema_access') schemas.add(view)
    else if (permission === 'datasource_access' || permission === 'database_access') {
      const id = Number(idAtEnd.exec(view)?.[1])
      if (Number.isInteger(id)) (permission === 'database_access' ? databases : datasets).add(id)
    }
  }
  const all =
    principal.isAdmin ||
    hasPermission(principal, ['all_database_access', 'all_database_access']) ||
    hasPermission(principal, ['all_datasource_access', 'all_datasource_access'])
  const rights = { all, datasets, databases, schemas }
  known.set(principal.permissions, rights)
  return rights
}
