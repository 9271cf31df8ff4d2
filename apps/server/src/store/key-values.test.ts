import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { readValue, writeValue } from './key-values.ts'

describe.each(testStores)('links and page states on %s', (_name, store) => {
  let server: TestServer
  let user: number
  const start = new Date('2026-01-01T00:00:00Z')
  const later = (days: number) => new Date(start.getTime() + days * 86_400_000)
  const states = (now: Date) => ({ db: server.deps.db, resource: 'form_data', days: 7, now, quotaMb: 0.01 })
  const links = (now: Date) => ({ ...states(now), resource: 'explore_permalink', days: null })
  const value = 'x'.repeat(4000)

  beforeAll(async () => {
    server = await startTestServer({ store })
    user = (await server.deps.db.selectFrom('user').select('id').orderBy('id').executeTakeFirstOrThrow()).id
  })
  afterAll(() => server.close())
  beforeEach(() => server.deps.db.deleteFrom('key_value').where('user_id', 'is not', null).execute())

  it('regression: a user cannot fill the store with links; the refusal names the quota and stores nothing', async () => {
    await writeValue(links(start), 'a', { value, user_id: user })
    await writeValue(links(start), 'b', { value, user_id: user })
    await expect(writeValue(states(start), 'c', { value, user_id: user })).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/links and page states would use [\d.]+ MB .* raise LINK_QUOTA_MB/) as string,
    })
    expect(await readValue(states(start), 'c')).toBeUndefined()
    await writeValue(links(start), 'a', { value: 'short', user_id: user })
    await writeValue(states(start), 'c', { value, user_id: user })
  })

  it('states of pages that were not changed for a day make room for new ones, but links stay', async () => {
    await writeValue(links(start), 'link', { value, user_id: user })
    await writeValue(states(start), 'old', { value, user_id: user })
    await writeValue(states(later(2)), 'new', { value, user_id: user })
    expect(await readValue(links(later(2)), 'link')).toBeDefined()
    expect(await readValue(states(later(2)), 'old')).toBeUndefined()
    expect(await readValue(states(later(2)), 'new')).toBeDefined()
  })
})
