import type { TagSummary } from '@parquetry/model'
import { toastError, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../errors.ts'
import { customTagNames, saveObjectTags } from './save-tags.ts'
import { TagsField } from './TagsField.tsx'

export interface ObjectTagsProps {
  type: 'dataset' | 'query'
  id: number
  tags: readonly TagSummary[]
}

/** Tags of an object that is not saved as a whole: each change is saved at once. */
export function ObjectTags({ type, id, tags }: ObjectTagsProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [names, setNames] = useState(() => customTagNames(tags))
  const change = (after: string[]): void => {
    setNames(after)
    saveObjectTags(type, id, names, after).then(
      async () => {
        await queries.invalidateQueries({ queryKey: [type === 'query' ? 'saved_query' : type] })
        await queries.invalidateQueries({ queryKey: ['tag'] })
      },
      (error: unknown) => {
        setNames(names)
        toastError(`${t('tags.failed', 'Could not change the tags')}: ${messageOf(error)}`)
      },
    )
  }
  return (
    <TagsField value={names} onChange={change} help={t('tags.savedAtOnce', 'Changes of tags are saved at once.')} />
  )
}
