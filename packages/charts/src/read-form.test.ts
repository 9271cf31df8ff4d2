import { describe, expect, it } from 'vitest'
import { readForm } from './read-form.ts'

describe('since and until of legacy forms', () => {
  it.each([
    [{ since: '7 days ago', until: 'now' }, '7 days ago : now'],
    [{ since: '7 days ago' }, '7 days ago : '],
    [{ until: '2020-01-01', since: null }, ' : 2020-01-01'],
    [{ since: '', until: null, time_range: 'Last week' }, 'Last week'],
    [{ since: '2020-01-01', until: '2021-01-01', time_range: 'Last week' }, '2020-01-01 : 2021-01-01'],
  ])('regression: %j becomes the time range %s', (form, time_range) => {
    expect(readForm(form).time_range).toBe(time_range)
  })

  it('become the time range, so that a range selected later applies', () => {
    const opened = readForm({ since: '2020-01-01', until: '2021-01-01' })
    expect(readForm({ ...opened, time_range: 'Last week' }).time_range).toBe('Last week')
  })
})

describe('contribution', () => {
  it('regression: current chart types do not read the legacy setting', () => {
    expect(readForm({ viz_type: 'echarts_timeseries_bar', contribution: true })).not.toHaveProperty('contributionMode')
    expect(readForm({ contributionMode: 'column', contribution: true }).contributionMode).toBe('column')
  })
})
