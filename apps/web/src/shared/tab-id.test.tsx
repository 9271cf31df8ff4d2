import { expect, it } from 'vitest'
import { claimTabId, getTabId } from './tab-id.ts'

it('regression: a duplicated tab does not share the id of the first one', async () => {
  const first = await claimTabId('a')
  expect(first).toBe('a')
  const copy = await claimTabId('a')
  expect(copy).not.toBe('a')
  expect(await claimTabId('b')).toBe('b')
})

it('a page keeps its id', async () => {
  const id = getTabId()
  expect(getTabId()).toBe(id)
  await expect
    .poll(async () => (await navigator.locks.query()).held?.map(({ name }) => name))
    .toContain(`parquetry.tab.${id}`)
  expect([getTabId(), sessionStorage.getItem('parquetry.tab')]).toEqual([id, id])
})
