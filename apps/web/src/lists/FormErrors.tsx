import { ApiError } from '@parquetry/client'
import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import { messageOf } from '../shared/errors.ts'

/** Query options of an object that a form edits: the form keeps what it was opened with, and the next one reads it again. */
export const formQueryOptions = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false } as const

/** Splits the error of a save into texts for the fields of the form and a text for everything else. */
export function readFormErrors<F extends string>(error: Error | null, names: readonly F[]) {
  const fields = error instanceof ApiError ? error.fields : {}
  const errorOf = (name: F): string | undefined => fields[name]?.[0]
  return {
    errorOf,
    isConflict: error instanceof ApiError && error.status === 409,
    other: error && !names.some(errorOf) ? messageOf(error) : undefined,
  }
}

interface FormErrorsProps extends Pick<ReturnType<typeof readFormErrors>, 'isConflict' | 'other'> {
  /** Title when another user has changed the object. */
  conflictTitle: string
  onReload: (() => void) | undefined
}

/** Shows errors that belong to no field of a form: a conflict, which offers to reload, or another reason for a failed save. */
export function FormErrors({ isConflict, other, conflictTitle, onReload }: FormErrorsProps) {
  const t = useTranslate()
  if (isConflict)
    return (
      <ErrorPanel
        inline
        title={conflictTitle}
        actions={<Button onClick={onReload}>{t('lists.form.reload', 'Reload')}</Button>}
      >
        {t('lists.form.conflictText', 'It was changed after you opened it. Reloading discards what you entered here.')}
      </ErrorPanel>
    )
  return other === undefined ? null : <ErrorPanel inline>{other}</ErrorPanel>
}
