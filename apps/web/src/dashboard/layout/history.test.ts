import { describe, expect, it } from 'vitest'
import { isChanged, record, redo, startHistory, undo, undoLimit, reachesUndoLimit, type History } from './history.ts'

const after = (steps: number): History<number> =>
  Array.from({ length: steps }, (_, i) => i + 1).reduce(record<number>, startHistory(0))

describe('history', () => {
  it('DASH-009, DASH-010: undo restores the previous state, and redo the undone one', () => {
    const done = after(3)
    expect(undo(done).present).toBe(2)
    expect(redo(undo(done))).toEqual(done)
    expect(undo(undo(undo(done))).present).toBe(0)
    expect(undo(startHistory(0)).present).toBe(0)
    expect(redo(done)).toBe(done)
  })

  it('a new step after an undo discards the undone steps', () => {
    expect(record(undo(after(3)), 9)).toMatchObject({ present: 9, future: [] })
  })

  it('ignores a step with the same value', () => {
    const history = after(1)
    expect(record(history, 1)).toBe(history)
  })

  it('DASH-053, DASH-054: is changed after a step, and unchanged after undoing all steps', () => {
    expect(isChanged(startHistory(0))).toBe(false)
    expect(isChanged(after(1))).toBe(true)
    expect(isChanged(undo(after(1)))).toBe(false)
  })

  it('DASH-062: holds the limit plus two states', () => {
    const { past } = after(200)
    expect(past.length + 1).toBe(undoLimit + 2)
  })

  it('DASH-063, DASH-064: warns at the last slot, and then records that not all steps can be undone', () => {
    expect(reachesUndoLimit(after(48), after(49))).toBe(false)
    expect(reachesUndoLimit(after(49), after(50))).toBe(true)
    expect(reachesUndoLimit(after(50), after(51))).toBe(false)
    expect(after(50).isExceeded).toBe(false)
    let history = after(60)
    expect(history.isExceeded).toBe(true)
    while (history.past.length) history = undo(history)
    expect(isChanged(history)).toBe(true)
  })
})
