import { ApiError } from '@parquetry/client'
import type { ExecuteMetadata, QueryView } from '@parquetry/model'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand'
import { editorFixture, stateFixture } from '../persistence/persistence.testing.ts'
import { isLive } from '../queries.ts'
import type { SqlLabState, TableSchema } from '../state.ts'
import { changeTab, closeTab } from '../tabs.ts'
import type { ExecuteResponse, RunResult, QueryRunnerCalls } from './execute.ts'
import { isOfflineError } from './query-error.ts'
import { polling, QueryRunner } from './query-runner.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const view = (id: string, part: Partial<QueryView> = {}): QueryView =>
  ({
    id,
    dbId: 1,
    sql: 'select 1',
    sqlEditorId: 'a',
    tab: 'a',
    state: 'running',
    progress: 0,
    rows: null,
    limit: 1000,
    limitingFactor: 'DROPDOWN',
    ctas: false,
    tempTable: null,
    resultsKey: null,
    startDttm: 1_000_000,
    endDttm: null,
    changed_on: '1970-01-01T00:16:40',
    errorMessage: null,
    extra: {},
    ...part,
  }) as QueryView
const result = (id: string, rows = 3): RunResult => ({
  answer: { query: view(id, { state: 'success', resultsKey: 'key' }) } as ExecuteMetadata,
  frame: { rows, columns: [] },
})

function open(isAsync = false, isOnline = () => true) {
  const store = createStore<SqlLabState>(() =>
    stateFixture(editorFixture('a', { schema: 's', tabStateId: 12 }), editorFixture('b')),
  )
  const pending: {
    id: string
    sql: string
    queryLimit: number
    editorId: string
    signal: AbortSignal
    end(done: ExecuteResponse): void
    fail(error: unknown): void
  }[] = []
  const notices: string[] = []
  const updateTimes: number[] = []
  const listeners = new Set<(id: string) => void>()
  let views: () => QueryView[] = () => []
  let stopping: () => Promise<unknown> = async () => 'OK'
  let fetching: (key: string) => Promise<RunResult> = async () => result('x')
  const stopped: string[] = []
  const calls: QueryRunnerCalls = {
    execute: async (query, { editorId, signal }) =>
      new Promise((end, fail) => {
        const { id, sql, queryLimit } = query
        pending.push({ id, sql, queryLimit, editorId, signal, end, fail })
        signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))
      }),
    fetchResults: async (key) => fetching(key),
    stopQuery: async (id) => {
      stopped.push(id)
      return stopping()
    },
    updatedSince: async (ms) => {
      updateTimes.push(ms)
      return views()
    },
    onQueryEnded: (heard) => {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
  const runner = new QueryRunner({
    store,
    isOnline,
    isAsync: () => isAsync,
    toSend: (sql) => sql.replace('-- note', '       '),
    events: {
      stopped: () => void notices.push('stopped'),
      stopFailed: () => void notices.push('stop failed'),
      resultsFailed: () => void notices.push('results failed'),
      unknown: 'Unknown error',
      cut: 'cut',
      unsent: 'unsent',
      offline: 'offline',
      finished: () => {},
    },
    calls,
  })
  runner.attach()
  const stateOfQuery = (id: string) => store.getState().queries[id]
  return {
    store,
    runner,
    pending,
    notices,
    updateTimes,
    stopped,
    stateOfQuery,
    listeners,
    tell: (id: string) => {
      for (const heard of listeners) heard(id)
    },
    answerViews: (next: () => QueryView[]) => (views = next),
    answerStop: (next: () => Promise<unknown>) => (stopping = next),
    answerResults: (next: (key: string) => Promise<RunResult>) => (fetching = next),
    run: (sql = 'select 1') => runner.run('a', { sql }),
  }
}
const flushTimers = async () => vi.advanceTimersByTimeAsync(0)

describe('running queries', () => {
  it('SQL-054, SQL-055, SQL-056: starts as pending when asynchronous, else as running, with progress 0', () => {
    const sync = open()
    expect(sync.stateOfQuery(sync.run())).toMatchObject({ state: 'running', progress: 0, runAsync: false, schema: 's' })
    const behind = open(true)
    expect(behind.stateOfQuery(behind.run())).toMatchObject({ state: 'pending', progress: 0, runAsync: true })
  })

  it('SQL-075: sends the text without its comments but stores it with them; the request contains the server’s tab id', () => {
    const { run, pending, stateOfQuery } = open()
    const id = run('select 1 -- note')
    expect(pending[0]).toMatchObject({ sql: 'select 1        ', editorId: '12' })
    expect(stateOfQuery(id)?.sql).toBe('select 1 -- note')
  })

  it('SQL-057, SQL-058: the query is the tab’s latest and its results are stored', async () => {
    const { run, pending, store, stateOfQuery } = open()
    const id = run()
    pending[0]?.end(result(id))
    await flushTimers()
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', progress: 100, rows: 3, resultsKey: 'key' })
    expect(stateOfQuery(id)?.results?.frame.rows).toBe(3)
    expect(store.getState().queryEditors[0]?.latestQueryId).toBe(id)
  })

  it('SQL-059, SQL-113: a failure retains message, link and errors; without a message it is Unknown error', async () => {
    const { run, pending, stateOfQuery } = open()
    const errors = [
      {
        message: 'no such column',
        error_type: 'X',
        level: 'error' as const,
        extra: { link: '/ask', offset: 7, line: 1, column: 8 },
      },
    ]
    const id = run()
    pending[0]?.fail(new ApiError(400, 'no such column', errors))
    await flushTimers()
    expect(stateOfQuery(id)).toMatchObject({
      state: 'failed',
      error: { message: 'no such column', link: '/ask', errors, offset: 7 },
    })
    const other = run()
    pending[1]?.fail(new ApiError(500, ''))
    await flushTimers()
    expect(stateOfQuery(other)?.error?.message).toBe('Unknown error')
  })

  it('stops the previous run of the tab on a new run, and ignores its late response', async () => {
    const { run, pending, stateOfQuery, stopped } = open()
    const first = run('one')
    const second = run('two')
    expect(stateOfQuery(first)?.state).toBe('stopped')
    expect(stopped).toEqual([first])
    pending[0]?.end(result(first))
    await flushTimers()
    expect(stateOfQuery(first)).toMatchObject({ state: 'stopped', results: null })
    expect(stateOfQuery(second)?.state).toBe('running')
  })

  it('regression: shows the queue position of a run while its response is pending', async () => {
    const { run, pending, answerViews, stateOfQuery, updateTimes } = open()
    const id = run()
    await vi.advanceTimersByTimeAsync(polling.everyMs - 1)
    expect(updateTimes).toEqual([])
    answerViews(() => [view(id, { extra: { ahead: 2 } })])
    await vi.advanceTimersByTimeAsync(1)
    expect(stateOfQuery(id)).toMatchObject({ state: 'running', view: { extra: { ahead: 2 } } })
    pending[0]?.end(result(id))
    await vi.advanceTimersByTimeAsync(10 * polling.everyMs)
    expect(stateOfQuery(id)?.state).toBe('success')
    expect(updateTimes).toHaveLength(1)
  })

  it('SQL-074: a data preview runs beside the query of the tab', () => {
    const { run, runner, stateOfQuery, store } = open(true)
    const id = run()
    const preview = { id: 't', dbId: 1 } as TableSchema
    const other = runner.run('a', { sql: 'select * from t', preview, queryLimit: 100 })
    expect(stateOfQuery(id)?.state).toBe('pending')
    expect(stateOfQuery(other)).toMatchObject({ isDataPreview: true, runAsync: false, queryLimit: 100 })
    expect(store.getState().queryEditors[0]?.latestQueryId).toBe(id)
  })

  it('runs the statements of a batch sequentially and ends at the first failure', async () => {
    const { runner, pending, store } = open()
    runner.runBatch('a', [{ sql: 'one' }, { sql: 'two' }, { sql: 'three' }])
    pending[0]?.end(result(pending[0].id))
    await flushTimers()
    pending[1]?.fail(new ApiError(400, 'wrong'))
    await flushTimers()
    expect(pending.map(({ sql }) => sql)).toEqual(['one', 'two'])
    const batches = Object.values(store.getState().queries).map(({ batch }) => batch)
    expect(batches[0]).toMatch(/./)
    expect(batches[1]).toBe(batches[0])
  })

  it('stops the running query of a closed tab', () => {
    const { run, store, stopped, pending } = open()
    const id = run()
    store.setState((state) => closeTab(state, 'a', 1))
    expect(stopped).toEqual([id])
    expect(pending[0]?.signal.aborted).toBe(true)
  })
})

describe('stopping queries', () => {
  it('SQL-060, SQL-086: is shown immediately, and reported when the database confirms it', async () => {
    const { run, runner, stateOfQuery, notices } = open()
    const id = run()
    runner.stop(id)
    expect(stateOfQuery(id)?.state).toBe('stopped')
    expect(notices).toEqual([])
    await flushTimers()
    expect(notices).toEqual(['stopped'])
  })

  it('SQL-085: a query that cannot be stopped is reported and shown as running again, and its response is still accepted', async () => {
    const { run, runner, stateOfQuery, notices, pending, answerStop } = open()
    answerStop(async () => Promise.reject(new ApiError(422, 'cannot')))
    const id = run()
    runner.stop(id)
    await flushTimers()
    expect(notices).toEqual(['stop failed'])
    expect(stateOfQuery(id)?.state).toBe('running')
    pending[0]?.end(result(id))
    await flushTimers()
    expect(stateOfQuery(id)?.state).toBe('success')
  })

  it('regression: stops a run even if its stop request reaches the server first', async () => {
    for (const isAsync of [false, true]) {
      const { run, runner, stateOfQuery, notices, stopped, pending, answerStop } = open(isAsync)
      answerStop(async () => Promise.reject(new ApiError(404, 'not found')))
      const id = run()
      runner.stop(id)
      await flushTimers()
      expect([stateOfQuery(id)?.state, notices]).toEqual(['stopped', []])
      if (isAsync) pending[0]?.end({ query: view(id) })
      answerStop(async () => 'OK')
      await vi.advanceTimersByTimeAsync(1000)
      expect(stopped).toEqual([id, id])
      expect([stateOfQuery(id)?.state, notices]).toEqual(['stopped', ['stopped']])
      runner.leave()
    }
  })
})

describe('a run that the server refuses because too much is waiting', () => {
  const refusalErrors = (retryAfter: number) => [
    {
      message: 'The database is busy.',
      error_type: 'GENERIC_DB_ENGINE_ERROR',
      level: 'error' as const,
      extra: { retryAfter, issue_codes: [{ code: 1027, message: '' }] },
    },
  ]
  const refuse = (retryAfter = 10) => new ApiError(503, 'The database is busy.', refusalErrors(retryAfter))
  /** After `Retry-After`, tries are spread over half of it. */
  const latestMs = (retryAfter = 10) => retryAfter * 1500

  it('is repeated when the server says, with its id, text, limit and tab, as often as it is refused', async () => {
    const { runner, store, pending, stateOfQuery, updateTimes } = open()
    const id = runner.run('a', { sql: 'select 1 -- note', queryLimit: 7 })
    pending[0]?.fail(refuse())
    await flushTimers()
    expect(stateOfQuery(id)).toMatchObject({
      state: 'running',
      error: null,
      refusal: { error: { code: 'source_busy' } },
    })
    expect(stateOfQuery(id)?.refusal?.retryAt).toBeGreaterThanOrEqual(1_010_000)
    store.setState((state) => changeTab(state, 'a', { sql: 'edited', queryLimit: 9, tabStateId: 99 }))
    await vi.advanceTimersByTimeAsync(9999)
    expect([pending.length, updateTimes]).toEqual([1, []])
    await vi.advanceTimersByTimeAsync(latestMs())
    expect(pending).toHaveLength(2)
    const { id: again, sql, editorId, queryLimit } = pending[1]!
    expect([again, sql, editorId, queryLimit]).toEqual([id, 'select 1        ', '12', 7])
    expect(stateOfQuery(id)).toMatchObject({ state: 'running', refusal: null })
    pending[1]?.fail(refuse())
    await vi.advanceTimersByTimeAsync(latestMs())
    pending[2]?.end(result(id))
    await vi.advanceTimersByTimeAsync(latestMs())
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', refusal: null })
    expect([pending.length, Object.keys(store.getState().queries)]).toEqual([3, [id]])
  })

  it('is repeated immediately on request, once', async () => {
    const { run, runner, pending } = open()
    const id = run()
    runner.tryNow(id)
    expect(pending).toHaveLength(1)
    pending[0]?.fail(refuse())
    await flushTimers()
    runner.tryNow(id)
    runner.tryNow(id)
    await vi.advanceTimersByTimeAsync(latestMs())
    expect(pending).toHaveLength(2)
  })

  it.each<[string, (test: ReturnType<typeof open>, id: string) => void, string | undefined]>([
    ['it is stopped', ({ runner }, id) => runner.stop(id), 'stopped'],
    ['its tab is closed', ({ store }) => store.setState((state) => closeTab(state, 'a', 1)), undefined],
    ['another run of the tab starts', ({ run }) => void run('select 2'), 'stopped'],
    ['the page is left', ({ runner }) => runner.leave(), 'running'],
  ])('is not repeated after %s', async (_, end, state) => {
    const test = open()
    const id = test.run()
    test.pending[0]?.fail(refuse())
    await flushTimers()
    end(test, id)
    expect(test.stateOfQuery(id)?.state).toBe(state)
    await vi.advanceTimersByTimeAsync(10 * latestMs())
    expect(test.pending.filter((call) => call.id === id)).toHaveLength(1)
    expect([test.stateOfQuery(id)?.state, test.stopped]).toEqual([state, []])
  })

  it('delays the following statements of its batch', async () => {
    const { runner, pending } = open()
    runner.runBatch('a', [{ sql: 'one' }, { sql: 'two' }])
    pending[0]?.fail(refuse())
    await vi.advanceTimersByTimeAsync(latestMs())
    pending[1]?.end(result(pending[1].id))
    await flushTimers()
    expect(pending.map(({ sql }) => sql)).toEqual(['one', 'one', 'two'])
  })

  it('is repeated in the background too, but not if it is of an earlier visit', async () => {
    const test = open(true)
    const id = test.run()
    test.pending[0]?.end({ query: view(id, { state: 'pending' }) })
    await flushTimers()
    const kept = test.store.getState()
    const extra = { errors: [{ ...refusalErrors(10)[0], extra: { retryAfter: 10, code: 'queries_waiting' } }] }
    test.answerViews(() => [view(id, { state: 'failed', errorMessage: 'busy', extra })])
    await vi.advanceTimersByTimeAsync(polling.everyMs)
    expect(test.stateOfQuery(id)).toMatchObject({ state: 'pending', refusal: { error: { code: 'queries_waiting' } } })
    const polls = test.updateTimes.length
    await vi.advanceTimersByTimeAsync(5000)
    expect(test.updateTimes).toHaveLength(polls)
    await vi.advanceTimersByTimeAsync(latestMs())
    expect(test.pending.map((call) => call.id)).toEqual([id, id])

    const later = open(true)
    later.store.setState(kept)
    later.runner.attach()
    later.answerViews(() => [view(id, { state: 'failed', errorMessage: 'busy', extra })])
    await vi.advanceTimersByTimeAsync(latestMs())
    expect(later.stateOfQuery(id)).toMatchObject({ state: 'failed', error: { message: 'busy' } })
    expect(later.pending).toEqual([])
  })

  it('fails after 6 hours', async () => {
    const { run, pending, stateOfQuery } = open()
    const id = run()
    vi.setSystemTime(1_000_000 + polling.atMostMs)
    pending[0]?.fail(refuse())
    await flushTimers()
    expect(stateOfQuery(id)).toMatchObject({ state: 'failed', error: { message: 'The database is busy.' } })
  })
})

describe('asynchronous runs', () => {
  it('SQL-061: are polled every 2000 ms with 5000 ms of overlap, and their results fetched by key', async () => {
    const { run, pending, answerViews, answerResults, stateOfQuery, updateTimes } = open(true)
    const id = run()
    pending[0]?.end({ query: view(id, { state: 'pending' }) })
    answerViews(() => [view(id, { progress: 40 })])
    await vi.advanceTimersByTimeAsync(100)
    expect(stateOfQuery(id)).toMatchObject({ state: 'running', progress: 40 })
    expect(updateTimes).toEqual([1_000_000 - 5000])
    await vi.advanceTimersByTimeAsync(1999)
    expect(updateTimes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(updateTimes).toHaveLength(2)
    let fetched = ''
    answerResults(async (key) => {
      fetched = key
      return result(id, 9)
    })
    answerViews(() => [view(id, { state: 'success', resultsKey: 'kept', progress: 100 })])
    await vi.advanceTimersByTimeAsync(polling.everyMs)
    expect(fetched).toBe('kept')
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', rows: 9 })
    await vi.advanceTimersByTimeAsync(10 * polling.everyMs)
    expect(updateTimes).toHaveLength(3)
  })

  it('are polled immediately when the server reports their end, and listening stops when none is left', async () => {
    const { run, pending, answerViews, answerResults, stateOfQuery, updateTimes, listeners, tell } = open(true)
    expect(listeners.size).toBe(0)
    const id = run()
    pending[0]?.end({ query: view(id, { state: 'pending' }) })
    answerViews(() => [view(id)])
    await vi.advanceTimersByTimeAsync(400)
    expect(updateTimes).toHaveLength(1)
    expect(listeners.size).toBe(1)
    answerViews(() => [view(id, { state: 'success', resultsKey: 'kept' })])
    answerResults(async () => result(id, 9))
    tell('another')
    await vi.advanceTimersByTimeAsync(1)
    expect(updateTimes).toHaveLength(1)
    tell(id)
    await vi.advanceTimersByTimeAsync(1)
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', rows: 9 })
    expect(listeners.size).toBe(0)
    await vi.advanceTimersByTimeAsync(10 * polling.everyMs)
    expect(updateTimes).toHaveLength(2)
  })

  it('do not lose an event that arrives during a poll', async () => {
    const { run, pending, answerViews, answerResults, stateOfQuery, updateTimes, tell } = open(true)
    const id = run()
    pending[0]?.end({ query: view(id, { state: 'pending' }) })
    answerResults(async () => result(id, 9))
    answerViews(() => {
      tell(id)
      answerViews(() => [view(id, { state: 'success', resultsKey: 'kept' })])
      return [view(id)]
    })
    await vi.advanceTimersByTimeAsync(400)
    expect(updateTimes).toHaveLength(2)
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', rows: 9 })
  })

  it.each([false, true])(
    'a run without a network fails immediately and can be run again: async %s',
    async (isAsync) => {
      let isOnline = false
      const { run, pending, stateOfQuery, updateTimes } = open(isAsync, () => isOnline)
      const id = run()
      expect(stateOfQuery(id)).toMatchObject({ state: 'failed', sql: 'select 1', error: { message: 'offline' } })
      expect(isOfflineError(stateOfQuery(id)!.error!)).toBe(true)
      await vi.advanceTimersByTimeAsync(60_000)
      expect([pending, updateTimes]).toEqual([[], []])
      isOnline = true
      expect(isLive(stateOfQuery(run())!)).toBe(true)
      expect(pending).toHaveLength(1)
    },
  )

  it('survive a lost connection and are resumed', async () => {
    const { run, pending, answerViews, stateOfQuery } = open(true)
    const id = run()
    pending[0]?.fail(new ApiError(0, 'Network error.'))
    answerViews(() => {
      throw new ApiError(0, 'Network error.')
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect(stateOfQuery(id)?.state).toBe('offline')
    answerViews(() => [view(id)])
    await vi.advanceTimersByTimeAsync(polling.everyMs)
    expect(stateOfQuery(id)?.state).toBe('running')
    answerViews(() => [view(id, { state: 'failed', errorMessage: 'too big' })])
    await vi.advanceTimersByTimeAsync(polling.everyMs)
    expect(stateOfQuery(id)).toMatchObject({ state: 'failed', error: { message: 'too big' } })
  })

  it('a synchronous run with a lost connection is shown as offline, and its end is found', async () => {
    const { run, pending, answerViews, answerResults, stateOfQuery, updateTimes } = open()
    const id = run()
    pending[0]?.fail(new ApiError(0, 'Network error.'))
    answerViews(() => [view(id)])
    await vi.advanceTimersByTimeAsync(400)
    expect(stateOfQuery(id)).toMatchObject({ state: 'offline', error: null })
    expect(updateTimes[0]).toBeLessThan(1_000_000 - polling.overlapMs)
    answerViews(() => [view(id, { state: 'success', resultsKey: 'kept' })])
    answerResults(async () => result(id, 9))
    await vi.advanceTimersByTimeAsync(polling.everyMs)
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', rows: 9 })
  })

  it('a run that the server ended when the connection was lost reports the reason', async () => {
    const { run, pending, answerViews, stateOfQuery } = open()
    const id = run()
    pending[0]?.fail(new ApiError(0, 'Network error.'))
    answerViews(() => [view(id, { state: 'stopped' })])
    await vi.advanceTimersByTimeAsync(400)
    expect(stateOfQuery(id)).toMatchObject({ state: 'stopped', error: { message: 'cut' } })
  })

  it('regression: a synchronous run that ended when the page was reloaded reports the reason', async () => {
    const before = open()
    const id = before.run()
    const after = open()
    after.store.setState(before.store.getState())
    after.runner.attach()
    after.answerViews(() => [view(id, { state: 'stopped' })])
    await vi.advanceTimersByTimeAsync(400)
    expect(after.stateOfQuery(id)).toMatchObject({ state: 'stopped', error: { message: 'cut' } })
  })

  it('a run that the server never received is given up once the server responds again', async () => {
    const { run, pending, answerViews, stateOfQuery, updateTimes } = open()
    const id = run()
    answerViews(() => {
      throw new ApiError(0, 'Network error.')
    })
    pending[0]?.fail(new ApiError(0, 'Network error.'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stateOfQuery(id)?.state).toBe('offline')
    answerViews(() => [view('another')])
    await vi.advanceTimersByTimeAsync(4 * polling.everyMs)
    expect(stateOfQuery(id)).toMatchObject({ state: 'stopped', error: { message: 'unsent' } })
    const times = updateTimes.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(updateTimes).toHaveLength(times)
  })

  it('are resumed after a reload, for at most 6 hours', async () => {
    const { run, pending, store, answerViews } = open(true)
    const id = run()
    pending[0]?.end({ query: view(id) })
    await flushTimers()
    const kept = store.getState()
    const again = open(true)
    again.store.setState(kept)
    again.runner.attach()
    again.answerViews(() => [view(id, { state: 'stopped' })])
    await vi.advanceTimersByTimeAsync(400)
    expect(again.stateOfQuery(id)?.state).toBe('stopped')
    answerViews(() => [])
    const late = open(true)
    vi.setSystemTime(1_000_000 + 6 * 3_600_000)
    late.store.setState(kept)
    late.runner.attach()
    await vi.advanceTimersByTimeAsync(5000)
    expect(late.updateTimes).toEqual([])
  })

  it('SQL-088: results that cannot be fetched are reported; deleted ones are not offered again', async () => {
    const { run, pending, runner, answerResults, stateOfQuery, notices } = open()
    const id = run()
    pending[0]?.end(result(id))
    await flushTimers()
    answerResults(async () => Promise.reject(new ApiError(500, 'no')))
    runner.fetchResults(id)
    expect(stateOfQuery(id)?.state).toBe('fetching')
    await flushTimers()
    expect(notices).toEqual(['results failed'])
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', resultsKey: 'key' })
    answerResults(async () => Promise.reject(new ApiError(410, 'gone')))
    runner.fetchResults(id)
    await flushTimers()
    expect(stateOfQuery(id)).toMatchObject({ state: 'success', resultsKey: null })
  })
})
