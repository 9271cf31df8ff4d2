import type { VersionedKind } from '@parquetry/model'
import { ButtonLink, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { boot } from './boot.ts'

/** Link to a deleted object in the trash; nothing if it is not there, or if the user may not restore it. */
export function TrashLink({ kind, id }: { kind: VersionedKind; id: number }) {
  const t = useTranslate()
  const { data } = useQuery({
    queryKey: ['trash', kind, id],
    queryFn: ({ signal }) => api.get('/api/v1/trash/', { query: { kind, id }, signal }),
    enabled: !boot.user.isAnonymous,
  })
  const [found] = data?.result ?? []
  if (!found) return null
  return (
    <ButtonLink href={`/trash/?${new URLSearchParams({ kind, q: found.name })}`}>
      {t('shared.trash.open', 'Open in trash')}
    </ButtonLink>
  )
}
