import { expect, it } from 'vitest'
import {
  changedBody,
  toAnnotationDraft,
  emptyAnnotationDraft,
  newBody,
  validateAnnotation,
  withStart,
} from './annotation-draft.ts'
import { formatAnnotationSpan, formatAnnotationTime } from './annotation-times.ts'

const release = {
  ...emptyAnnotationDraft,
  short_descr: 'Release',
  start_dttm: '2026-03-01T08:00:00',
  end_dttm: '2026-03-01T09:30',
}

it.each([
  ['nothing', {}, {}],
  ['a name of spaces', { short_descr: '  ' }, { short_descr: 'missing' }],
  ['no times', { start_dttm: '', end_dttm: '' }, { start_dttm: 'missing', end_dttm: 'missing' }],
  ['an end before the start', { end_dttm: '2026-03-01T07:59:59' }, { end_dttm: 'early' }],
  ['a moment', { end_dttm: '2026-03-01T08:00' }, {}],
  ['half of a JSON text', { json_metadata: '{"a":' }, { json_metadata: 'json' }],
  ['a whole JSON text', { json_metadata: '{"a": 1}' }, {}],
])('validates a draft with %s', (_what, patch, problems) => {
  expect(validateAnnotation({ ...release, ...patch })).toEqual(problems)
})

it('moves the end with the start until the user changes it', () => {
  const moment = withStart(withStart(emptyAnnotationDraft, '2026-03-01T08:00'), '2026-03-02T08:00')
  expect(moment).toMatchObject({ start_dttm: '2026-03-02T08:00', end_dttm: '2026-03-02T08:00' })
  expect(withStart({ ...moment, end_dttm: '2026-03-03T08:00' }, '2026-03-01T08:00').end_dttm).toBe('2026-03-03T08:00')
})

it('sends all fields of a new annotation, and only changed fields of an existing one', () => {
  const { start_dttm, end_dttm } = release
  expect(newBody({ ...release, short_descr: ' Release ' })).toEqual({
    short_descr: 'Release',
    start_dttm,
    end_dttm,
    long_descr: null,
    json_metadata: null,
  })
  const before = toAnnotationDraft({ short_descr: 'Release', start_dttm, end_dttm, long_descr: 'Of the shop' })
  expect(changedBody({ ...before, long_descr: ' ' }, before)).toEqual({ long_descr: null })
  expect(changedBody(before, before)).toEqual({})
})

it('formats times without redundant parts', () => {
  expect(formatAnnotationTime('2026-03-01T08:00:00')).toBe('2026-03-01 08:00')
  expect(formatAnnotationTime('2026-03-01T08:00:05.250')).toBe('2026-03-01 08:00:05.250')
  expect(formatAnnotationSpan('2026-03-01T08:00:00', '2026-03-01T08:00:00')).toBe('2026-03-01 08:00')
  expect(formatAnnotationSpan('2026-03-01T08:00:00', '2026-03-01T09:30:00')).toBe('2026-03-01 08:00 – 09:30')
  expect(formatAnnotationSpan('2026-03-01T08:00:00', '2026-03-02T00:00:00')).toBe('2026-03-01 08:00 – 2026-03-02 00:00')
})
