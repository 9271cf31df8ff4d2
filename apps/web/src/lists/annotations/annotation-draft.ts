/** Form state of an annotation; times in the format of the browser's inputs, in UTC. */
export interface AnnotationDraft {
  short_descr: string
  start_dttm: string
  end_dttm: string
  long_descr: string
  json_metadata: string
}

/** An annotation as the API lists it. */
export interface StoredAnnotation {
  short_descr: string
  start_dttm: string
  end_dttm: string
  long_descr: string | null
  json_metadata?: string | null
}

export const emptyAnnotationDraft: AnnotationDraft = {
  short_descr: '',
  start_dttm: '',
  end_dttm: '',
  long_descr: '',
  json_metadata: '',
}

export const toAnnotationDraft = (stored: StoredAnnotation): AnnotationDraft => ({
  short_descr: stored.short_descr,
  start_dttm: stored.start_dttm,
  end_dttm: stored.end_dttm,
  long_descr: stored.long_descr ?? '',
  json_metadata: stored.json_metadata ?? '',
})

/** Changes the start; the end follows until the user sets a different one. */
export const withStart = (draft: AnnotationDraft, start_dttm: string): AnnotationDraft => ({
  ...draft,
  start_dttm,
  end_dttm: draft.end_dttm === draft.start_dttm ? start_dttm : draft.end_dttm,
})

export type DraftProblem = 'missing' | 'early' | 'json'

const at = (time: string): number => Date.parse(`${time}Z`)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Validation errors of a draft by field. */
export function validateAnnotation(draft: AnnotationDraft): Partial<Record<keyof AnnotationDraft, DraftProblem>> {
  const { short_descr, start_dttm, end_dttm, json_metadata } = draft
  return {
    ...(short_descr.trim() === '' && { short_descr: 'missing' as const }),
    ...(start_dttm === '' && { start_dttm: 'missing' as const }),
    ...(end_dttm === '' && { end_dttm: 'missing' as const }),
    ...(start_dttm !== '' && end_dttm !== '' && at(end_dttm) < at(start_dttm) && { end_dttm: 'early' as const }),
    ...(json_metadata.trim() !== '' && !isJson(json_metadata) && { json_metadata: 'json' as const }),
  }
}

const texts = ['long_descr', 'json_metadata'] as const

/** Request body of a new annotation; empty texts become null. */
export const newBody = ({ short_descr, start_dttm, end_dttm, ...rest }: AnnotationDraft) => ({
  short_descr: short_descr.trim(),
  start_dttm,
  end_dttm,
  ...Object.fromEntries(texts.map((field) => [field, rest[field].trim() || null])),
})

/** Request body of an update: only the changed fields. */
export function changedBody(draft: AnnotationDraft, before: AnnotationDraft): Partial<ReturnType<typeof newBody>> {
  const old = newBody(before)
  return Object.fromEntries(
    Object.entries(newBody(draft)).filter(([field, value]) => value !== old[field as keyof typeof old]),
  )
}
