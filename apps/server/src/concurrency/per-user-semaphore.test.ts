import { expect, it } from 'vitest'
import { PerUserSemaphore } from './per-user-semaphore.ts'

const neverAborted = new AbortController().signal

it('gives each user their slots at once while they are free, then to those who wait', async () => {
  const semaphore = new PerUserSemaphore(1)
  const release = semaphore.tryAcquire('ann')
  expect([semaphore.tryAcquire('ann'), typeof semaphore.tryAcquire('ben')]).toEqual([null, 'function'])
  const waiting = semaphore.acquire('ann', neverAborted)
  release?.()
  expect(semaphore.tryAcquire('ann')).toBe(null)
  const releaseNext = await waiting
  release?.()
  expect(semaphore.tryAcquire('ann')).toBe(null)
  releaseNext()
  releaseNext()
  const releaseLast = semaphore.tryAcquire('ann')
  releaseNext()
  expect([typeof releaseLast, semaphore.tryAcquire('ann')]).toEqual(['function', null])
})

it('a wait ends with its signal', async () => {
  const semaphore = new PerUserSemaphore(1)
  semaphore.tryAcquire('ann')
  const abort = new AbortController()
  const waiting = semaphore.acquire('ann', abort.signal)
  abort.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
})

it('who waits is served in order, without those who gave up', async () => {
  const semaphore = new PerUserSemaphore(2)
  const releases = [semaphore.tryAcquire('ann'), semaphore.tryAcquire('ann')]
  const abort = new AbortController()
  const served: string[] = []
  const waits = ['first', 'second', 'third'].map(async (name) => {
    await semaphore.acquire('ann', name === 'second' ? abort.signal : neverAborted)
    served.push(name)
  })
  abort.abort(new Error('gone'))
  await expect(waits[1]).rejects.toThrow('gone')
  for (const release of releases) release?.()
  await Promise.all([waits[0], waits[2]])
  expect(served).toEqual(['first', 'third'])
  await expect(semaphore.acquire('ben', abort.signal)).rejects.toThrow('gone')
})
