import { expect, it } from 'vitest'
import { applyDraft, emptyDraft, isDraftEmpty, reconcileDraft, setHeld } from './role-draft.ts'

const pair = (id: number) => ({ id, name: 'can_read', view: `V${id}` })
const idsOf = (pairs: { id: number }[]) => pairs.map(({ id }) => id).toSorted((a, b) => a - b)

it('grants and takes permissions, and is empty again when both are undone', () => {
  const saved = new Set([1, 2])
  const changed = setHeld(setHeld(emptyDraft, saved, [pair(2)], false), saved, [pair(1), pair(3)], true)
  expect(idsOf(applyDraft(changed, [pair(1), pair(2)]))).toEqual([1, 3])
  const undone = setHeld(setHeld(changed, saved, [pair(2)], true), saved, [pair(3)], false)
  expect(isDraftEmpty(undone)).toBe(true)
})

it('keeps own changes when the role was changed by another user meanwhile, who granted 3 and took 1', () => {
  const before = new Set([1, 2])
  const draft = setHeld(setHeld(emptyDraft, before, [pair(2)], false), before, [pair(3), pair(4)], true)
  const now = [pair(2), pair(3)]
  const reconciled = reconcileDraft(draft, new Set(idsOf(now)))
  expect(idsOf(applyDraft(reconciled, now))).toEqual([3, 4])
  expect([[...reconciled.added.keys()], [...reconciled.removed]]).toEqual([[4], [2]])
})
