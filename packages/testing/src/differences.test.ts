import { describe, expect, it } from 'vitest'
import { readKnownDifferences, readReference } from './reference.ts'

describe('differences.json', () => {
  it.each(readKnownDifferences())('lists a recorded case of $file with a reason: $name$prefix', (difference) => {
    const { file, name, prefix, reason } = difference
    const names = readReference<{ name: string }>(file).map((recorded) => recorded.name)
    expect(reason).toMatch(/^.{20,}\.$/)
    expect([name, prefix].filter((text) => text !== undefined)).toHaveLength(1)
    expect(names.filter((one) => one === name || (prefix !== undefined && one.startsWith(prefix)))).not.toEqual([])
  })

  it('lists each case once', () => {
    const keys = readKnownDifferences().map(({ file, name, prefix }) => `${file} ${name ?? prefix}`)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
})
