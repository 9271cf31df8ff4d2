import { defaultLimits, type Encoding, type QueryContext, type ResultType, type Source } from '@parquetry/model'
import { formatLocalIso, type PlanContext } from '@parquetry/query'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

interface PlanSource {
  source: Source
  database: DatabaseRow
  context: Pick<QueryContext, 'form_data'>
  deps: Pick<ConnectionDeps, 'settings' | 'now'>
  asFound?: boolean
}

/** Everything that planning needs besides the query: time, source, encoding and limits. */
export function planContext(
  { source, database, deps, context: { form_data }, asFound }: PlanSource,
  encode: Encoding,
  resultType: ResultType,
): PlanContext {
  const { config, flags, timeZone } = deps.settings
  return {
    now: formatLocalIso(deps.now().getTime(), timeZone),
    source,
    encode,
    limits: { ...defaultLimits, timeoutMs: config.SUPERSET_WEBSERVER_TIMEOUT * 1000 },
    dialect: engineFor(database).dialect,
    settings: {
      ROW_LIMIT: config.ROW_LIMIT,
      SQL_MAX_ROW: config.SQL_MAX_ROW,
      SAMPLES_ROW_LIMIT: config.SAMPLES_ROW_LIMIT,
      ALLOW_ADHOC_SUBQUERY: flags['ALLOW_ADHOC_SUBQUERY'] === true,
    },
    resultType,
    form: form_data ?? null,
    ...(asFound && { isUnordered: asFound }),
  }
}
