import { expect, it } from 'vitest'
import { englishTranslator } from '@parquetry/model'
import { allPairs } from '../apps/server/src/security/roles.ts'
import { describePermissions, listPermissionAreas } from '../apps/web/src/lists/roles/permission-texts.ts'

it('the page of a role says what each feature permission allows', () => {
  const pairs = allPairs.map(([name, view], id) => ({ id, name, view }))
  const areas = describePermissions(englishTranslator, pairs)
  expect(areas.find(({ id }) => id === 'added')?.pairs.map(({ text }) => text) ?? []).toEqual([])
  const all = areas.flatMap((area) => area.pairs)
  expect(new Set(all.map(({ id }) => id)).size).toBe(new Set(pairs.map(({ name, view }) => `${name} ${view}`)).size)
})

it('no two feature permissions have the same text', () => {
  const texts = listPermissionAreas(englishTranslator).flatMap((area) => [...area.texts.values()])
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
})
