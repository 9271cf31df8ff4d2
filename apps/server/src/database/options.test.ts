import { expect, it } from 'vitest'
import { engineOf } from '@parquetry/engines'
import { checkAbilities, checkJsonFields, hasArguments, withoutArguments } from './options.ts'

const check = (extra: object) => () => checkJsonFields({ extra: JSON.stringify(extra) }, () => undefined)

it('regression: refuses driver arguments, which would be stored unencrypted and have no effect', () => {
  expect(check({ engine_params: { connect_args: { password: 'x' } } })).toThrow()
  expect(check({ engine_params: { echo: true } })).toThrow()
  expect(check({ engine_params: {}, theirs: { connect_args: 1 } })).not.toThrow()
  expect(check({ engine_params: { connect_args: {} } })).not.toThrow()
})

it('accepts `read_only` of DuckDB, and of no other engine', () => {
  const extra = (read_only: unknown, more: object = {}) => ({ engine_params: { connect_args: { read_only, ...more } } })
  expect(check(extra(true))).not.toThrow()
  expect(check(extra(false))).not.toThrow()
  expect(check(extra('yes'))).toThrow()
  expect(check(extra(true, { config: {} }))).toThrow()
  expect(check({ engine_params: { connect_args: { read_only: true }, echo: {} } })).toThrow()
  const stored = { extra: JSON.stringify(extra(true)) }
  expect(() => checkAbilities(stored, engineOf('duckdb')!)).not.toThrow()
  expect(() => checkAbilities(stored, engineOf('postgresql')!)).toThrow()
})

it('removes them from imports, except `read_only` of an embedded database', () => {
  const [embedded, network] = [{ kind: 'embedded' }, { kind: 'network' }] as const
  const secret = '{"engine_params":{"connect_args":{"password":"x"}},"theirs":1}'
  expect(withoutArguments(secret, embedded)).toBe('{"theirs":1}')
  expect(withoutArguments('{"theirs": 1}', embedded)).toBe('{"theirs": 1}')
  const readOnly = '{"engine_params":{"connect_args":{"read_only":true}}}'
  expect([withoutArguments(readOnly, embedded), withoutArguments(readOnly, network)]).toEqual([readOnly, '{}'])
})

it.each([
  ['{"engine_params": {"connect_args": {"sslmode": "require"}}}', true],
  ['{"engine_params": {"connect_args": {"ssl": {}}}}', true],
  ['{"engine_params": {"pool_size": 0}}', true],
  ['{"engine_params": {}}', false],
  ['{"engine_params": {"connect_args": {}}, "metadata_params": {}}', false],
  ['{"metadata_params": {"a": 1}}', false],
  ['[]', false],
  ['no JSON', false],
])('finds driver arguments in an imported extra: %s', (extra, has) => expect(hasArguments(extra)).toBe(has))
