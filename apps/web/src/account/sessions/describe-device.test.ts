import { expect, it } from 'vitest'
import { describeDevice } from './describe-device.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/147.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  ['python-requests/2.34.0', 'python-requests', undefined],
  ['curl/8.17.0', 'curl', undefined],
])('reads %s as %s on %s', (header, program, system) => {
  expect(describeDevice(header)).toEqual(system === undefined ? { program } : { program, system })
})

it('says nothing about sessions without a header', () => {
  expect([describeDevice(null), describeDevice(' '), describeDevice('(x)')]).toEqual([null, null, null])
})
