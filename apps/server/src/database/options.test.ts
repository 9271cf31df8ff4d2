import { expect, it } from 'vitest'
import { checkJsonFields, withoutArguments } from './options.ts'

const check = (extra: object) => () => checkJsonFields({ extra: JSON.stringify(extra) }, () => undefined)

it('regression: refuses driver arguments, which would be stored unencrypted and have no effect', () => {
  expect(check({ engine_params: { connect_args: { password: 'x' } } })).toThrow()
  expect(check({ engine_params: { echo: true } })).toThrow()
  expect(check({ engine_params: {}, theirs: { connect_args: 1 } })).not.toThrow()
  expect(check({ engine_params: { connect_args: {} } })).not.toThrow()
})

it('removes them from imports', () => {
  expect(withoutArguments('{"engine_params":{"connect_args":{"password":"x"}},"theirs":1}')).toBe('{"theirs":1}')
  expect(withoutArguments('{"theirs": 1}')).toBe('{"theirs": 1}')
})
