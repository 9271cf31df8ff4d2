import { Dialog, ErrorPanel, Skeleton, useText } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { useEngines } from './ConnectDialog.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import type { Parameters } from './connection.ts'

interface Stored {
  id: number
  database_name: string
  backend: string
  configuration_method: 'sqlalchemy_form' | 'dynamic_form'
  sqlalchemy_uri: string | null
  parameters: Parameters | null
}

/** The form of a connection that exists; secrets come masked and stay as they are unless typed over. */
export function EditConnection({ id, onClose }: { id: number; onClose(): void }) {
  const t = useText()
  const engines = useEngines()
  const stored = useQuery({
    queryKey: ['database', 'connection', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ result: Stored }>(`/api/v1/database/${id}/connection`, { signal })).result,
    gcTime: 0,
  })
  const engine = engines.data?.find((one) => one.engine === stored.data?.backend)
  if (stored.data && engines.data) {
    const { database_name, backend, configuration_method, parameters, sqlalchemy_uri } = stored.data
    return (
      <ConnectionForm
        id={id}
        engine={engine ?? { name: backend, engine: backend, available_drivers: [], preferred: false }}
        start={{
          name: database_name,
          by: engine?.parameters && configuration_method === 'dynamic_form' ? 'fields' : 'uri',
          parameters: parameters ?? {},
          uri: sqlalchemy_uri ?? '',
        }}
        onClose={onClose}
        onSaved={onClose}
      />
    )
  }
  const error = stored.error ?? engines.error
  return (
    <Dialog open title={t('lists.databases.edit', 'Edit connection')} width={720} onClose={onClose}>
      {error ? (
        <ErrorPanel inline onRetry={() => void stored.refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}
