import { describe, expect, it } from 'vitest'
import { parseRate } from '../settings/parse-rate.ts'
import { createThrottle, type BeginAttempt } from './sign-in-throttle.ts'

const minute = 60_000
const rate = { count: 10, windowMs: 5 * minute }

const fail = async (beginAttempt: BeginAttempt, account: string, address: string) =>
  (await beginAttempt(account, address))('wrong')
const isRefused = (beginAttempt: BeginAttempt, account: string, address: string) =>
  beginAttempt(account, address).then(
    (end) => {
      end('unknown')
      return false
    },
    () => true,
  )

describe('createThrottle', () => {
  it('regression: accepts a correct password from an address without failures, despite failures of others', async () => {
    const beginAttempt = createThrottle(rate, () => 0)
    for (let host = 0; host < 50; host++) for (let n = 0; n < 2; n++) await fail(beginAttempt, 'ada', `10.0.0.${host}`)
    expect(await isRefused(beginAttempt, 'ada', '10.0.0.7')).toBe(true)
    expect(await isRefused(beginAttempt, 'ada', '192.0.2.1')).toBe(false)
    await fail(beginAttempt, 'ada', '192.0.2.1')
    expect(await isRefused(beginAttempt, 'ada', '192.0.2.1')).toBe(true)
  })

  it('refuses an address that tries many usernames', async () => {
    const beginAttempt = createThrottle(rate, () => 0)
    for (let n = 0; n < 50; n++) await fail(beginAttempt, `name ${n}`, '10.0.0.1')
    expect(await isRefused(beginAttempt, 'another name', '10.0.0.1')).toBe(true)
    expect(await isRefused(beginAttempt, 'another name', '10.0.0.2')).toBe(false)
  })

  it('allows as many concurrent attempts as may fail, and decides on the others when those have ended', async () => {
    const beginAttempt = createThrottle(rate, () => 0)
    const open = await Promise.all(Array.from({ length: 10 }, () => beginAttempt('ada', '10.0.0.1')))
    const eleventh = isRefused(beginAttempt, 'ada', '10.0.0.1')
    open.slice(0, 9).forEach((end) => end('wrong'))
    open[9]?.('unknown')
    expect(await eleventh).toBe(false)
    const last = await beginAttempt('ada', '10.0.0.1')
    const next = isRefused(beginAttempt, 'ada', '10.0.0.1')
    last('wrong')
    expect(await next).toBe(true)
  })

  it('resets after the window and after a success', async () => {
    let time = 0
    const beginAttempt = createThrottle(rate, () => time)
    for (let n = 0; n < 9; n++) await fail(beginAttempt, 'ada', '10.0.0.1')
    ;(await beginAttempt('ada', '10.0.0.1'))('right')
    for (let n = 0; n < 10; n++) await fail(beginAttempt, 'ada', '10.0.0.1')
    expect(await isRefused(beginAttempt, 'ada', '10.0.0.1')).toBe(true)
    time = 5 * minute
    expect(await isRefused(beginAttempt, 'ada', '10.0.0.1')).toBe(false)
  })

  it('never refuses when AUTH_RATE_LIMITED is off', async () => {
    const beginAttempt = createThrottle(null, () => 0)
    for (let n = 0; n < 100; n++) await fail(beginAttempt, 'ada', '10.0.0.1')
    expect(await isRefused(beginAttempt, 'ada', '10.0.0.1')).toBe(false)
  })
})

it('parses the formats of AUTH_RATE_LIMIT', () => {
  expect(parseRate('5 per second')).toEqual({ count: 5, windowMs: 1000 })
  expect(parseRate('10 per 20 second')).toEqual({ count: 10, windowMs: 20_000 })
  expect(parseRate('100/hour')).toEqual({ count: 100, windowMs: 60 * minute })
  for (const text of ['', '5', '0 per minute', 'five per minute', '5 per month'])
    expect(parseRate(text)).toBeUndefined()
})
