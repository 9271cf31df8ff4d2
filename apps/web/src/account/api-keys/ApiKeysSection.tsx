import { Button, ButtonLink, EmptyState, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { can } from '../../shared/rights.ts'
import { AccountSection } from '../AccountSection.tsx'
import { SectionBody } from '../SectionBody.tsx'
import { ApiKeyDialog } from './ApiKeyDialog.tsx'
import { ApiKeyList } from './ApiKeyList.tsx'

const queryKey = ['account', 'api-keys']

/** Keys with which the user's programs call the API. */
export function ApiKeysSection() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const keys = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get('/api/v1/security/api_keys/', { signal })).result,
  })
  const title = t('account.keys', 'API keys')
  return (
    <AccountSection
      title={title}
      text={t('account.keysText', 'Programs that send one of these keys act with your permissions.')}
      actions={
        <>
          {can('can_show', 'SwaggerView') && (
            <ButtonLink variant="quiet" href="/swagger/v1">
              {t('apiReference.title', 'API reference')}
            </ButtonLink>
          )}
          {can('can_create', 'ApiKey') && (
            <Button onClick={() => setCreating(true)}>{t('account.key.create', 'Create API key')}</Button>
          )}
        </>
      }
    >
      <SectionBody query={keys}>
        {(result) =>
          result.length === 0 ? (
            <EmptyState inline level={3} title={t('account.key.none', 'No API keys')}>
              {t('account.key.noneText', 'Create one for each program, so that you can revoke it on its own.')}
            </EmptyState>
          ) : (
            <ApiKeyList
              keys={result}
              label={title}
              revoke={async ({ uuid }) => {
                await api.del('/api/v1/security/api_keys/:uuid', { params: { uuid } })
                await queries.invalidateQueries({ queryKey })
              }}
            />
          )
        }
      </SectionBody>
      {isCreating && (
        <ApiKeyDialog
          onClose={() => setCreating(false)}
          onCreated={() => void queries.invalidateQueries({ queryKey })}
        />
      )}
    </AccountSection>
  )
}
