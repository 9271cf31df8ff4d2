import { AppError } from '@parquetry/model'
import { UserAttributeError } from '@parquetry/templates'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { ApplicableRule } from './load-rules.ts'

/** Minimum time between two log lines about the same user, rule and attribute. */
const logIntervalMs = 10 * 60_000
const maxLogged = 10_000

const logTimes = new WeakMap<Logger, LRUCache<string, number>>()

/**
 * The clause of a rule whose template failed to render because its user has no value of an attribute, or several where the rule
 * expects one: it lets no rows through, and the log says why.
 * @throws the error if it has another reason
 */
export function hideRowsWithoutAttribute(
  { log, steadyMs }: Pick<ConnectionDeps, 'log' | 'steadyMs'>,
  error: unknown,
  { id: userId }: Principal,
  rule: ApplicableRule,
): string {
  const cause = error instanceof AppError ? error.cause : error
  if (!(cause instanceof UserAttributeError)) throw error
  const { attribute, reason } = cause
  const ruleId = rule.id ?? null
  const times = logTimes.get(log) ?? new LRUCache<string, number>({ max: maxLogged })
  logTimes.set(log, times)
  const key = JSON.stringify([userId, ruleId, attribute, reason])
  const now = steadyMs()
  if (now - (times.get(key) ?? -Infinity) >= logIntervalMs) {
    times.set(key, now)
    log.warn(
      { userId, ruleId, attribute },
      reason === 'missing'
        ? 'a row-level security rule shows no rows, because the user has no value of the attribute'
        : 'a row-level security rule shows no rows, because the user has several values of the attribute and the rule lacks many=true',
    )
  }
  return '1 = 0'
}
