import { englishTranslator } from '@parquetry/model'
import { expect, it } from 'vitest'
import { describeScopes, readOnlyScopes } from './scope-labels.ts'

it.each([
  [null, 'Full access'],
  [readOnlyScopes.toReversed().join(','), 'Read only'],
  [readOnlyScopes.slice(1).join(','), '15 scopes'],
  ['superset:chart:write', '1 scope'],
])('describes the scopes %s as %s', (scopes, text) => {
  expect(describeScopes(englishTranslator, scopes)).toBe(text)
})
