import { expect, it } from 'vitest'
import { formatLogLine } from './log.ts'

it('formats a log line for a terminal', () => {
  const line = JSON.stringify({
    level: 30,
    time: 0,
    reqId: 'x',
    method: 'GET',
    route: '/health',
    status: 200,
    user: null,
    msg: 'request',
  })
  expect(formatLogLine(line)).toMatch(/^\d\d:\d\d:\d\d info {2}request method=GET route=\/health status=200\n$/)
  expect(
    formatLogLine(JSON.stringify({ level: 50, time: 0, msg: 'failed', err: { stack: 'Error: x\n    at y' } })),
  ).toMatch(/error failed\nError: x\n/)
})
