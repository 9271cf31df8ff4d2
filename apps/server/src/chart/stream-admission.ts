import { AppError, refusalCodes, type Source } from '@parquetry/model'
import { needsRun, type PlanExecutor } from '../cache/run-cached.ts'
import { toCacheOptions, type ResolvedQuery } from './resolved-query.ts'
import type { PlannedQuery } from './run-query.ts'
import type { QueueOptions, Runners } from '../runners/runners.ts'

type Admission = ReturnType<Runners['admit']>

/** A planned query of the stream. */
export interface StreamQuery {
  resolvedQuery: ResolvedQuery
  planned: PlannedQuery
}

/**
 * Admits the queries of one stream at their sources, so that a dashboard is refused as a whole instead of losing some of its
 * charts. Cached queries, and equal ones in flight, need no admission.
 */
export class StreamAdmission {
  readonly #runners: Runners
  readonly #bySource = new Map<string, Admission>()
  #isClosed = false

  constructor(runners: Runners) {
    this.#runners = runners
  }

  /**
   * Admits all queries before the first one runs. While the databases are idle there is nothing to wait for, and queries are
   * admitted as they run.
   * @param listQueries  the queries of each chart as soon as they are planned; those of a chart that cannot be planned fail
   * @throws AppError `source_busy`, `queries_waiting`
   */
  async admitAll(listQueries: () => readonly Promise<readonly StreamQuery[]>[]): Promise<void> {
    if (this.#runners.isIdle()) return
    const counts = new Map<string, { source: Source; keys: Set<string> }>()
    for (const result of await Promise.allSettled(listQueries())) {
      if (result.status === 'rejected') {
        if (isRefusal(result.reason)) throw result.reason
        continue
      }
      for (const { resolvedQuery, planned } of result.value) {
        const key = await needsRun(planned.plan, resolvedQuery.deps, toCacheOptions(resolvedQuery))
        if (key === null) continue
        const { source } = planned.plan
        const entry = counts.get(source.id) ?? { source, keys: new Set() }
        counts.set(source.id, entry)
        entry.keys.add(key)
      }
    }
    for (const { source, keys } of counts.values()) this.#admit(source, keys.size)
  }

  /** Scheduling options of a statement for several queries. */
  queueOptions(source: Source): QueueOptions {
    return { admission: this.#bySource.get(source.id) ?? this.#admit(source, 0) }
  }

  /** Runs each query as one of those admitted. */
  wrap(execute: PlanExecutor): PlanExecutor {
    return (plan, signal, key) => {
      const admission = this.#bySource.get(plan.source.id) ?? this.#admit(plan.source, 1)
      return admission.run(() => execute(plan, signal, key))
    }
  }

  /** No more queries follow. */
  close(): void {
    this.#isClosed = true
    for (const admission of this.#bySource.values()) admission.close()
  }

  #admit(source: Source, queries: number): Admission {
    const admission = this.#runners.admit(source, queries)
    if (this.#isClosed) admission.close()
    this.#bySource.set(source.id, admission)
    return admission
  }
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && refusalCodes.has(error.code)
