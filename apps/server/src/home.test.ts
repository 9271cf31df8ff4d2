import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ensureServerId } from './home.ts'

it('a home keeps its server id across starts, and every home has a different one', () => {
  const homes = ['a', 'b'].map((name) => mkdtempSync(join(tmpdir(), `parquetry-home-${name}-`)))
  const [first, second] = homes.map(ensureServerId)
  expect(homes.map(ensureServerId)).toEqual([first, second])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^[\da-f-]{36}$/)
  for (const home of homes) rmSync(home, { recursive: true })
})
