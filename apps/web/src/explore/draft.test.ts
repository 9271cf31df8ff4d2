import { describe, expect, it } from 'vitest'
import { isChartDirty, isOutOfDate, openDraft, reduceChartDraft, extractChartSettings } from './draft.ts'

const saved = { viz_type: 'pie', groupby: ['a'], donut: false }
const set = (name: string, value: unknown, look = false) => ({ type: 'set', name, value, look }) as const

describe('the chart being edited', () => {
  it('is out of date after a change to the query, but not after a change of appearance', () => {
    const edited = reduceChartDraft(openDraft(saved), set('groupby', ['b']))
    expect([isOutOfDate(edited), isChartDirty(edited)]).toEqual([true, true])
    const looked = reduceChartDraft(openDraft(saved), set('donut', true, true))
    expect([isOutOfDate(looked), isChartDirty(looked), looked.applied['donut']]).toEqual([false, true, true])
  })

  it('applies the edited form', () => {
    const draft = reduceChartDraft(reduceChartDraft(openDraft(saved), set('groupby', ['b'])), { type: 'apply' })
    expect(draft.applied).toEqual({ ...saved, groupby: ['b'] })
  })

  it('undoes and redoes step by step, and drops redo steps at the next change', () => {
    let draft = openDraft(saved)
    for (const name of ['b', 'c']) draft = reduceChartDraft(draft, set('groupby', [name]))
    draft = reduceChartDraft(draft, { type: 'undo' })
    expect(draft.edited['groupby']).toEqual(['b'])
    expect(reduceChartDraft(draft, { type: 'redo' }).edited['groupby']).toEqual(['c'])
    draft = reduceChartDraft(draft, set('donut', true, true))
    expect(reduceChartDraft(draft, { type: 'redo' })).toBe(draft)
  })

  it('keeps fifty undo steps', () => {
    let draft = openDraft(saved)
    for (let n = 0; n < 60; n += 1) draft = reduceChartDraft(draft, set('row_limit', n))
    expect(draft.past).toHaveLength(50)
  })

  it('removes a setting from the form when its value is undefined', () => {
    expect(reduceChartDraft(openDraft(saved), set('donut', undefined)).edited).toEqual({
      viz_type: 'pie',
      groupby: ['a'],
    })
  })

  it('is not dirty when only the order of its settings differs', () => {
    expect(isChartDirty(openDraft(saved, { donut: false, groupby: ['a'], viz_type: 'pie' }))).toBe(false)
  })

  it('regression: is not dirty because of settings that the server adds to an opened form', () => {
    const opened = { ...saved, adhoc_filters: [], url_params: { slice_id: '4' }, applied_time_extras: {}, slice_id: 4 }
    expect(isChartDirty(openDraft(saved, opened))).toBe(false)
    expect(isChartDirty(openDraft(saved, { ...opened, adhoc_filters: [{ subject: 'a' }] }))).toBe(true)
  })

  it('regression: is not dirty for a form migrated from an older type and opened from another context', () => {
    const made = (place: object) => ({ ...saved, form_data_bak: { viz_type: 'old', ...place } })
    expect(isChartDirty(openDraft(made({}), made({ slice_id: 4 })))).toBe(false)
  })

  it('EXP-090: saves no filter that a second query inherited', () => {
    const form = { ...saved, adhoc_filters_b: [{ subject: 'a' }, { subject: 'b', isExtra: true }] }
    expect(extractChartSettings(form)).toEqual({ ...saved, adhoc_filters_b: [{ subject: 'a' }] })
  })

  it('EXP-090: does not save filters and settings inherited from a dashboard', () => {
    const own = { subject: 'a', operator: '==', comparator: 1 }
    const form = { ...saved, adhoc_filters: [own, { ...own, isExtra: true }], dashboardId: 3 }
    expect(extractChartSettings(form)).toEqual({ ...saved, adhoc_filters: [own] })
    const instead = { ...own, comparator: 'Last week', isExtra: true, insteadOf: own }
    const inherited_settings = {
      time_grain_sqla: { own: 'P1D', given: 'P1W' },
      time_range: { given: 'Last week' },
      granularity_sqla: { own: 'day', given: 'hour' },
    }
    const laid = { time_grain_sqla: 'P1W', time_range: 'Last week', granularity_sqla: 'minute' }
    const opened = { ...saved, ...laid, inherited_settings, adhoc_filters: [instead] }
    expect(extractChartSettings(opened), 'what was changed here is the chart’s').toEqual({
      ...saved,
      time_grain_sqla: 'P1D',
      granularity_sqla: 'minute',
      adhoc_filters: [own],
    })
    const kept = openDraft({ ...saved, adhoc_filters: [own] })
    const isOld = (adhoc_filters: object[]) =>
      isOutOfDate({ ...kept, applied: { ...saved, adhoc_filters: [instead] }, edited: { ...saved, adhoc_filters } })
    expect([isOld([instead]), isOld([own])], 'it is asked for what is inherited too').toEqual([false, true])
    expect(isChartDirty(openDraft({ ...saved, adhoc_filters: [own] }, form))).toBe(false)
  })

  it('applies the form immediately when undo restores another chart type', () => {
    const table = { viz_type: 'table', groupby: ['a'] }
    const changed = reduceChartDraft(openDraft(saved), { type: 'become', carry: () => table })
    expect(reduceChartDraft(changed, { type: 'undo' }).applied).toEqual(saved)
  })
})
