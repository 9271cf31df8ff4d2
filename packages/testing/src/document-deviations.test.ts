import { expect, it } from 'vitest'
import { readDocumentDeviations, readReference } from './reference.ts'

it('every deviation from the document of the reference is a pattern with a reason, and the recorded cases exist', () => {
  for (const { deviation, reason, overruled_by } of readDocumentDeviations()) {
    expect(() => new RegExp(deviation), deviation).not.toThrow()
    expect(reason).toMatch(/^.{10,}\.$/)
    const [file = '', name = ''] = overruled_by.split(/\.json: ?/)
    if (!overruled_by.includes('.json:')) continue
    const names = readReference<{ name: string }>(`${file}.json`).map((one) => one.name)
    expect(names, overruled_by).toContain(name)
  }
})
