import { describe, expect, it, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const neverAborted = new AbortController().signal

/** Creates a queue and tracks the requests in it by name: `a2` is the second of user `a`. */
function startQueue(places: number) {
  const line = new FairQueue(places)
  const leaves = new Map<string, () => void>()
  const requestCounts = new Map<string, number>()
  const ahead = new Map<string, number>()
  return {
    line,
    ahead,
    async join(person: string, signal = neverAborted) {
      const nth = (requestCounts.get(person) ?? 0) + 1
      requestCounts.set(person, nth)
      const name = `${person}${nth}`
      const { acquired } = line.acquire({
        requester: person,
        signal,
        onQueuePosition: (places) => ahead.set(name, places),
      })
      acquired.then(
        (leave) => leaves.set(name, leave),
        () => {},
      )
      await flushMacrotasks()
    },
    async leave(name: string) {
      leaves.get(name)?.()
      leaves.delete(name)
      await flushMacrotasks()
    },
    holding: () => [...leaves.keys()].toSorted().join(' '),
  }
}

const flushMacrotasks = () => new Promise((resolve) => setImmediate(resolve))

describe('fair queue', () => {
  it('gives one user all slots while no one else wants one, but not more', async () => {
    const { join, holding, line } = startQueue(2)
    for (let n = 0; n < 3; n++) await join('a')
    expect(holding()).toBe('a1 a2')
    expect(line.waiting).toBe(1)
  })

  it('regression: a user who holds all slots counts as half for others, who get one immediately', async () => {
    const { join, holding } = startQueue(4)
    for (let n = 0; n < 9; n++) await join('a')
    for (let n = 0; n < 3; n++) await join('b')
    expect(holding()).toBe('a1 a2 a3 a4 b1 b2')
  })

  it('never exceeds its slots by more than half, regardless of the users', async () => {
    const { join, holding, line } = startQueue(4)
    for (const person of 'aaaabbbbccccdddd') await join(person)
    expect(holding().split(' ')).toHaveLength(line.maxHeld)
    expect(line.maxHeld).toBe(6)
    const alone = startQueue(1)
    for (const person of 'ab') await alone.join(person)
    expect(alone.holding()).toBe('a1')
  })

  it('regression: gives slots to users in turn, regardless of earlier requests', async () => {
    const { join, leave, holding } = startQueue(1)
    for (const person of 'aaaab') await join(person)
    await join('c')
    const order = [holding()]
    for (let n = 0; n < 5; n++) {
      await leave(holding())
      order.push(holding())
    }
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4'])
  })

  it('reports to each waiting request how many are ahead of it, at every change', async () => {
    const { join, leave, ahead } = startQueue(1)
    for (const person of 'aaab') await join(person)
    expect(Object.fromEntries(ahead)).toEqual({ a2: 1, a3: 2, b1: 0 })
    await leave('a1')
    expect(Object.fromEntries(ahead)).toEqual({ a2: 0, a3: 1, b1: 0 })
  })

  it('removes aborted requests, and rejects all when closed', async () => {
    const { join, leave, holding, line } = startQueue(1)
    await join('a')
    const gone = new AbortController()
    await join('b', gone.signal)
    await join('c')
    gone.abort()
    await leave('a1')
    expect(holding()).toBe('c1')
    const { acquired } = line.acquire({ requester: 'd', signal: neverAborted })
    line.close(new Error('closed'))
    await expect(acquired).rejects.toThrow('closed')
    await expect(line.acquire({ requester: 'e', signal: neverAborted }).acquired).rejects.toThrow('closed')
    await leave('c1')
    expect(line.held + line.waiting).toBe(0)
  })

  it('reports a standstill to users who hold less than their share', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { join, line } = startQueue(2)
      for (const person of 'aab') await join(person)
      const isStuck = async (person: string) => {
        let isStalled = false
        const leave = new AbortController()
        void line.acquire({ requester: person, signal: leave.signal }).stalled.then(() => (isStalled = true))
        await vi.advanceTimersByTimeAsync(1000)
        leave.abort()
        return isStalled
      }
      expect([await isStuck('c'), await isStuck('a')]).toEqual([true, false])
    } finally {
      vi.useRealTimers()
    }
  })
})
