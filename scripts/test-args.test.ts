import { expect, it } from 'vitest'
import { parseTestArgs } from './test-args.ts'

it.each([
  ['', { mayInstall: false, repeat: 1, files: [], forVitest: [] }],
  ['--install', { mayInstall: true, repeat: 1, files: [], forVitest: [] }],
  ['--repeat 5 lists grid', { mayInstall: false, repeat: 5, files: ['lists', 'grid'], forVitest: ['lists', 'grid'] }],
  ['lists --repeat=2 --bail=1', { mayInstall: false, repeat: 2, files: ['lists'], forVitest: ['lists', '--bail=1'] }],
])('reads the arguments "%s"', (args, expected) => {
  expect(parseTestArgs(args.split(' ').filter(Boolean))).toEqual(expected)
})

it.each(['--repeat', '--repeat 0', '--repeat 1.5', '--repeat many', '--repeat 101'])('rejects "%s"', (args) => {
  expect(() => parseTestArgs(args.split(' '))).toThrow('--repeat must be a whole number from 1 to 100')
})
